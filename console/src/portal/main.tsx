import './portal.css'
import { wordsFor } from '../app/api/problem.ts'
import {
  leaveToSignIn,
  linkPath,
  openLink,
  portalPath,
  readSecret,
  signedInPath,
  signIn,
  signInQuietly,
} from './session/session.ts'

const place = document.getElementById('portal') as HTMLElement

/** Kept small: on the way to the sign-in page and back nothing of the portal is needed yet. */
async function start(): Promise<void> {
  const here = new URL(window.location.href)
  if (here.pathname === linkPath || here.pathname.startsWith(`${linkPath}/`)) return startWithLink(here)
  const portal = import('./portal.tsx')
  if (here.pathname === signedInPath) {
    try {
      window.history.replaceState(null, '', await signIn.finish(here))
    } catch {
      window.history.replaceState(null, '', portalPath)
      return leaveToSignIn()
    }
  } else if (!(await signInQuietly().catch(() => false))) return leaveToSignIn()
  await (await portal).showPortal(place, null)
}

/** The secret stands behind the #, which no server gets to see, and leaves the address before anything else happens. */
async function startWithLink(here: URL): Promise<void> {
  const secret = here.hash.slice(1) || readSecret()
  window.history.replaceState(null, '', here.pathname)
  const { showPortal, showProblem } = await import('./portal.tsx')
  if (!secret) return showProblem(place, 'This link is not whole', 'Open the link exactly as it was sent to you.')
  try {
    await showPortal(place, await openLink(secret))
  } catch (error) {
    showProblem(place, 'This link cannot be opened', wordsFor(error))
  }
}

// A page from the browser's back-forward cache may show data of somebody who has signed out since.
window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())

start().catch(async (error) => {
  const { showProblem } = await import('./portal.tsx')
  showProblem(place, 'The portal could not be opened', wordsFor(error))
})
