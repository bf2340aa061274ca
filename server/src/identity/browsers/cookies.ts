import { AsyncLocalStorage } from 'node:async_hooks'
import type { KoaContextWithOIDC } from 'oidc-provider'

/** The interaction that a page of ours is about, where the library itself does not know. */
export const shownInteraction = new AsyncLocalStorage<string>()

/** Sign-ins that somebody may leave unfinished in one browser before the oldest is forgotten; each is four cookies. */
const mostUnfinished = 8

/**
 * Over https the browser keeps our cookies for this host alone: a cookie named `__Host-…` can be set neither by a neighbouring host nor without TLS.
 * It has no path, so those of an interaction carry its id in their names instead: several tabs may sign in at once.
 */
export function cookiePrefix(authUrl: string): '__Host-' | '' {
  return authUrl.startsWith('https:') ? '__Host-' : ''
}

/** The name of the cookie for this request; `named` is the one in the library's settings. */
export function cookieNameFor(type: string, named: string, ctx: KoaContextWithOIDC | undefined): string {
  if (type === 'session' || !named.startsWith('__Host-')) return named
  const { uid } = (ctx?.oidc?.entities.Interaction ??
    (ctx as { params?: { uid?: string } } | undefined)?.params ??
    {}) as { uid?: string }
  return `${named}_${shownInteraction.getStore() ?? uid ?? ''}`
}

/** The library limits cookies of interactions by path, which these may not have; and forgets some that are over. */
export function correctCookies(ctx: KoaContextWithOIDC): void {
  const set = [ctx.response.headers['set-cookie'] ?? []].flat()
  const ours = set.map((cookie) =>
    cookie.startsWith('__Host-') ? cookie.replace(/; path=[^;]*/i, '; path=/') : cookie,
  )
  const gone = set.some((cookie) => cookie.startsWith('__Host-lading_')) ? finishedCookies(ctx, set) : []
  if (ours.length + gone.length > 0)
    ctx.set('set-cookie', [
      ...ours,
      ...gone.map((name) => `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; secure; httponly; samesite=lax`),
    ])
}

/** Those of the interaction whose second cookie the library deletes, and of the oldest where there are too many. */
function finishedCookies(ctx: KoaContextWithOIDC, set: readonly string[]): string[] {
  const sent = (ctx.headers.cookie ?? '').split(/; */).map((pair) => pair.slice(0, pair.indexOf('=')))
  const unfinished = [
    ...new Set(sent.flatMap((name) => /^__Host-lading_(?:interaction|resume)_([\w-]+)$/.exec(name)?.[1] ?? [])),
  ]
  const ended = set.flatMap((cookie) => /^__Host-lading_resume_([\w-]+)=;/.exec(cookie)?.[1] ?? [])
  const over = new Set([...ended, ...unfinished.slice(0, -mostUnfinished)])
  return sent.filter(
    (name) =>
      name.startsWith('__Host-lading_') && [...over].some((uid) => new RegExp(`_${uid}(?:\\.sig)?$`).test(name)),
  )
}
