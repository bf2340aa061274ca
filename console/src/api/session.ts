import { createLading } from '@lading/sdk'
import { createSignIn } from '@lading/sdk/sign-in'
import { settings } from '../settings.ts'

const { publicUrl, authUrl, clientId, scope, audience } = settings

export const signIn = createSignIn({ authUrl, clientId, scope, audience, redirectUri: `${publicUrl}/signed-in`, storage: sessionStorage })

/** The client of the API, with the token of the person who is signed in. Queries are repeated by `makeQueryClient`, writes by the person. */
export const lading = createLading({ baseUrl: publicUrl, token: signIn.token, fetch: signIn.fetch, retry: false })

/** Goes to the sign-in page, which redirects back at once while the session lasts. */
export async function leaveToSignIn(prompt?: 'consent'): Promise<void> {
  if (!prompt) stopRedirectLoop()
  const { pathname, search, hash } = window.location
  const here = pathname === '/signed-in' ? '/' : `${pathname}${search}${hash}`
  window.location.replace(await signIn.begin(here, prompt && { prompt }))
}

export function signOut(): void {
  window.location.assign(signIn.end(`${publicUrl}/`))
}

const departures = 'lading departures'
const most = 5

/** If the API refuses every new token, the page would redirect for ever. */
function stopRedirectLoop(): void {
  const times = Number(sessionStorage.getItem(departures)) + 1
  sessionStorage.setItem(departures, String(times))
  if (times <= most) return
  tokenAccepted()
  throw new Error('You are signed in, but the server refuses your token. Wait a moment and try again.')
}

/** The API accepted the token. */
export function tokenAccepted(): void {
  sessionStorage.removeItem(departures)
}
