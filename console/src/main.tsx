import './main.css'
import { NotAllowedIn, SignedOut } from '@lading/sdk/sign-in'
import { leaveToSignIn, signIn, signInQuietly } from './app/api/session.ts'
import { settings, styleNonce } from './app/api/settings.ts'

// A library below the dialogs adds a style element and takes the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

/** Kept small: on the way to the sign-in page and back nothing of the console is needed yet. */
async function start(): Promise<void> {
  const here = new URL(window.location.href)
  if (isWrongAddress(here)) return
  if (here.pathname !== '/signed-in') return startHere()
  const console = import('./console.tsx')
  const wanted = signIn.returnOf(here)
  try {
    window.history.replaceState(null, '', await signIn.finish(here))
  } catch (error) {
    window.history.replaceState(null, '', wanted)
    // They cancelled the choice of another organization, or used the back button after signing in.
    if (error instanceof SignedOut || (error instanceof NotAllowedIn && error.code === 'access_denied'))
      return leaveToSignIn()
    return showMessage('Could not sign in', error instanceof Error ? error.message : String(error), 'Try again')
  }
  const { showConsole } = await console
  showConsole(document.getElementById('console') as HTMLElement)
}

/** The usual start: the browser has a session, and the page is not left for a new token. */
async function startHere(): Promise<void> {
  let console: Promise<typeof import('./console.tsx')> | undefined
  const isIn = await signInQuietly(() => (console = import('./console.tsx'))).catch(() => false)
  if (!isIn || !console) return leaveToSignIn()
  const { showConsole } = await console
  showConsole(document.getElementById('console') as HTMLElement)
}

/** Signing in works at one address only: another one could not finish it. */
function isWrongAddress({ origin, hostname, pathname, search }: URL): boolean {
  const home = new URL(settings.publicUrl)
  const isLoopback = (name: string) => ['127.0.0.1', '[::1]', 'localhost'].includes(name)
  if (origin !== home.origin) {
    if (isLoopback(hostname) && isLoopback(home.hostname)) window.location.replace(`${home.origin}${pathname}${search}`)
    else
      showMessage(
        'Wrong address',
        `The address of this installation is ${home.origin} (PUBLIC_URL). Open the console there.`,
      )
    return true
  }
  if (window.isSecureContext) return false
  showMessage(
    'The console needs https',
    'Open it with https, or on the server itself with http://127.0.0.1 or http://localhost.',
  )
  return true
}

function showMessage(title: string, words: string, again?: string): void {
  const place = document.getElementById('console') as HTMLElement
  const heading = Object.assign(document.createElement('h1'), { textContent: title })
  const paragraph = Object.assign(document.createElement('p'), { textContent: words })
  place.replaceChildren(heading, paragraph)
  if (!again) return
  const button = Object.assign(document.createElement('button'), {
    textContent: again,
    onclick: () => void leaveToSignIn(),
  })
  place.append(button)
}

// A page from the browser's back-forward cache may show data of somebody who has signed out since.
window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())

start().catch((error) =>
  showMessage('Could not start the console', error instanceof Error ? error.message : String(error), 'Try again'),
)
