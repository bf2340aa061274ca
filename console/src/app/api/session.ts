import { createPlainLading } from '@lading/sdk'
import { createSignIn } from '@lading/sdk/sign-in'
import { watchRequests } from './connection.ts'
import { once } from './once.ts'
import { settings } from './settings.ts'

const { publicUrl, authUrl, clientId, scope, audience } = settings

export const signIn = createSignIn({
  authUrl,
  clientId,
  scope,
  audience,
  redirectUri: `${publicUrl}/signed-in`,
  storage: sessionStorage,
})

/** The client of the API, with the token of the person who is signed in. Queries are repeated by `makeQueryClient`, writes by the person. */
export const lading = createPlainLading({
  baseUrl: publicUrl,
  token: signIn.token,
  fetch: once(watchRequests(signIn.fetch)),
  retry: false,
})

/**
 * Gets tokens without leaving the page, where the browser has a session. It has none, or somebody has to choose first, where this answers false:
 * then only `leaveToSignIn` helps. A sign-in service at another address cannot be asked from here.
 */
export async function signInQuietly(onAnswer: () => void): Promise<boolean> {
  if (new URL(authUrl).origin !== window.location.origin) return false
  const { url } = await globalThis.fetch(await signIn.begin(pathHere(), { prompt: 'none' }))
  const returned = new URL(url)
  if (returned.pathname !== '/signed-in' || !returned.searchParams.has('code')) return false
  onAnswer()
  await signIn.finish(returned)
  hasReturned = true
  return true
}

/** Goes to the sign-in page, which redirects back at once while the session lasts. */
export async function leaveToSignIn(prompt?: 'consent'): Promise<void> {
  if (!prompt) stopRedirectLoop()
  window.location.replace(await signIn.begin(pathHere(), prompt && { prompt }))
}

function pathHere(): string {
  const { pathname, search, hash } = window.location
  return pathname === '/signed-in' ? '/' : `${pathname}${search}${hash}`
}

export function signOut(): void {
  window.location.assign(signIn.end(`${publicUrl}/`))
}

const departures = 'lading departures'
const most = 5
/** Whether this page was begun with an answer of the sign-in service. */
let hasReturned = window.location.pathname === '/signed-in'

/**
 * If the API refuses every new token, the page would redirect for ever. Who is not signed in and opens the console again and again, as somebody does who was
 * invited and has not joined yet, goes in no circle: only ways back from the sign-in service are counted.
 */
function stopRedirectLoop(): void {
  if (!hasReturned) return
  const times = Number(sessionStorage.getItem(departures)) + 1
  sessionStorage.setItem(departures, String(times))
  if (times <= most) return
  noteTokenAccepted()
  throw new Error('You are signed in, but the server refuses your token. Wait a moment and try again.')
}

export function noteTokenAccepted(): void {
  sessionStorage.removeItem(departures)
}
