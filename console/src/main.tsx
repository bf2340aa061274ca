import './main.css'
import { NotAllowedIn, SignedOut } from '@lading/sdk/sign-in'
import { leaveToSignIn, signIn } from './api/session.ts'
import { settings, styleNonce } from './settings.ts'

// A part deep below the dialogs adds a style of its own, and looks here for the nonce.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

/** Small on purpose: whoever is on the way to the sign-in page or back from it needs none of the console yet. */
async function start(): Promise<void> {
  const here = new URL(window.location.href)
  if (isElsewhere(here)) return
  if (here.pathname !== '/signed-in') return leaveToSignIn()
  const console = import('./console.tsx')
  const wanted = signIn.returnOf(here)
  try {
    window.history.replaceState(null, '', await signIn.finish(here))
  } catch (error) {
    window.history.replaceState(null, '', wanted)
    // Someone who came to choose another organization, and stays; or who went back to a page that was left.
    if (error instanceof SignedOut || (error instanceof NotAllowedIn && error.code === 'access_denied')) return leaveToSignIn()
    return say('Signing in did not work', error instanceof Error ? error.message : String(error), 'Try again')
  }
  const { showConsole } = await console
  showConsole(document.getElementById('console') as HTMLElement)
}

/** People sign in at one address; at another, what was begun could not be finished. */
function isElsewhere({ origin, hostname, pathname, search }: URL): boolean {
  const home = new URL(settings.publicUrl)
  const isLoopback = (name: string) => ['127.0.0.1', '[::1]', 'localhost'].includes(name)
  if (origin !== home.origin) {
    if (isLoopback(hostname) && isLoopback(home.hostname)) window.location.replace(`${home.origin}${pathname}${search}`)
    else say('The console is at another address', `This installation calls itself ${home.origin} (PUBLIC_URL). Open the console there.`)
    return true
  }
  if (window.isSecureContext) return false
  say('The console needs https', 'Browsers let people sign in over https, or on the machine itself at http://127.0.0.1 or http://localhost.')
  return true
}

function say(title: string, words: string, again?: string): void {
  const place = document.getElementById('console') as HTMLElement
  const heading = Object.assign(document.createElement('h1'), { textContent: title })
  const paragraph = Object.assign(document.createElement('p'), { textContent: words })
  place.replaceChildren(heading, paragraph)
  if (!again) return
  const button = Object.assign(document.createElement('button'), { textContent: again, onclick: () => void leaveToSignIn() })
  place.append(button)
}

// A page that the browser kept whole may show what its reader may not see any more.
window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())

start().catch((error) => say('The console could not start', error instanceof Error ? error.message : String(error), 'Try again'))
