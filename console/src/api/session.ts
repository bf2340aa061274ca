import { createLading } from '@lading/sdk'
import { createSignIn } from '@lading/sdk/sign-in'
import { settings } from '../settings.ts'

const { publicUrl, authUrl, clientId, scope, audience } = settings

export const signIn = createSignIn({ authUrl, clientId, scope, audience, redirectUri: `${publicUrl}/signed-in`, storage: sessionStorage })

/** The API, as the person who is signed in. */
export const lading = createLading({ baseUrl: publicUrl, token: signIn.token, fetch: signIn.fetch })

/** Away to the sign-in page, which brings people straight back while their session lasts. */
export async function leaveToSignIn(prompt?: 'consent'): Promise<void> {
  if (!prompt) refuseToCircle()
  const { pathname, search, hash } = window.location
  const here = pathname === '/signed-in' ? '/' : `${pathname}${search}${hash}`
  window.location.replace(await signIn.begin(here, prompt && { prompt }))
}

export function signOut(): void {
  window.location.assign(signIn.end(`${publicUrl}/`))
}

const departures = 'lading departures'
const most = 5

/** Were what the sign-in brings refused every time, the page would go there and back for ever. */
function refuseToCircle(): void {
  const times = Number(sessionStorage.getItem(departures)) + 1
  sessionStorage.setItem(departures, String(times))
  if (times <= most) return
  arrived()
  throw new Error('The server lets you in, and then refuses what it gave you. Wait a moment and try again.')
}

/** What the sign-in brought is good. */
export function arrived(): void {
  sessionStorage.removeItem(departures)
}
