import { createPlainLading } from '@lading/sdk'
import { createSignIn } from '@lading/sdk/sign-in'
import { answered, Problem } from '../../app/api/problem.ts'
import { settings } from '../../app/api/settings.ts'

const { publicUrl, authUrl, clientId, scope, audience } = settings

export const portalPath = '/portal'
export const linkPath = '/portal/link'
export const signedInPath = '/portal/signed-in'

export const signIn = createSignIn({
  authUrl,
  clientId,
  scope,
  audience,
  redirectUri: `${publicUrl}${signedInPath}`,
  storage: sessionStorage,
})

/** The secret of a signed link, for as long as the tab is open: the address is cleared of it, and a reload needs it again. */
const kept = 'lading portal link'
let link: { secret: string; token: string; until: number } | null = null

export function readSecret(): string | null {
  return sessionStorage.getItem(kept)
}

export type LinkRecord = { type: 'manifest' | 'bill'; id: string }

/** Exchanges the secret of a link for a token, and answers the record that it shows. */
export async function openLink(secret: string): Promise<LinkRecord> {
  const sent = performance.now()
  const response = await fetch(`${publicUrl}/api/v1/portal/link_sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: secret }),
  })
  const body = await response.json().catch(() => undefined)
  if (!response.ok) {
    sessionStorage.removeItem(kept)
    throw new Problem(response.status, body)
  }
  sessionStorage.setItem(kept, secret)
  link = { secret, token: body.access_token, until: sent + body.expires_in * 1000 }
  return body.record
}

export function forgetLink(): void {
  sessionStorage.removeItem(kept)
  link = null
}

/** Of a link, a new one shortly before the old one ends; else that of the person who is signed in. */
async function token(): Promise<string> {
  if (!link) return signIn.token()
  if (link.until - performance.now() < 30_000) await openLink(link.secret)
  return link.token
}

export const lading = createPlainLading({
  baseUrl: publicUrl,
  token,
  fetch: (...sent) => (link ? globalThis.fetch(...sent) : signIn.fetch(...sent)),
  retry: false,
})

/** Sends a file as a form, which phones and browsers name by themselves. */
export async function sendFile(path: string, file: File, documentType: string): Promise<void> {
  const body = new FormData()
  body.append('document_type', documentType)
  body.append('file', file)
  const call = fetch(`${publicUrl}/api/v1/portal/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await token()}` },
    body,
  }).then(async (response) => ({
    response,
    ...(response.ok ? { data: true } : { error: await response.json().catch(() => undefined) }),
  }))
  await answered(call)
}

/** A file that the carrier has sent. */
export async function fetchFile(documentId: string): Promise<Blob> {
  const headers = { authorization: `Bearer ${await token()}` }
  const response = await fetch(`${publicUrl}/api/v1/portal/documents/${documentId}/content`, { headers })
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => undefined))
  return response.blob()
}

/** Gets tokens without leaving the page, where the browser has a session. */
export async function signInQuietly(): Promise<boolean> {
  if (new URL(authUrl).origin !== window.location.origin) return false
  const { url } = await globalThis.fetch(await signIn.begin(window.location.pathname, { prompt: 'none' }))
  const returned = new URL(url)
  if (returned.pathname !== signedInPath || !returned.searchParams.has('code')) return false
  await signIn.finish(returned)
  return true
}

export async function leaveToSignIn(): Promise<void> {
  const { pathname } = window.location
  window.location.replace(await signIn.begin(pathname === signedInPath ? portalPath : pathname))
}

export function signOut(): void {
  window.location.assign(signIn.end(`${publicUrl}/`))
}
