import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Settings } from '../../settings.ts'
import { cookiePrefix } from './cookies.ts'

type Owner = { id: string; password_hash: string }
type Parts = { provider: () => Provider; settings: Settings; cookieKey: string }

const cookieName = ({ authUrl }: Settings) => `${cookiePrefix(authUrl)}lading_browser`
const keptForMs = 365 * 86_400_000
/** Several people may share a browser; a cookie has room for a few. */
const most = 5

/**
 * A browser in which somebody signed in has a cookie that says so, for that person. It opens nothing: the password is asked for all the same, but
 * no attempts from elsewhere are held against it. Its signature covers the hash of the password, so a new password ends it.
 */
export function browserKnownTo(
  { provider, settings, cookieKey }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): (owner: Owner) => string | undefined {
  const entries = entriesIn(
    provider().createContext(request.raw, reply.raw).cookies.get(cookieName(settings), { signed: false }),
  )
  return (owner) =>
    entries.find(
      ({ person, browser, signature }) => person === owner.id && isSigned(cookieKey, owner, browser, signature),
    )?.browser
}

export function rememberBrowser(
  { provider, settings, cookieKey }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: Owner,
): void {
  const { cookies } = provider().createContext(request.raw, reply.raw)
  const others = entriesIn(cookies.get(cookieName(settings), { signed: false })).filter(
    ({ person }) => person !== owner.id,
  )
  const browser = randomBytes(12).toString('base64url')
  const entries = [{ person: owner.id, browser, signature: signatureOf(cookieKey, owner, browser) }, ...others].slice(
    0,
    most,
  )
  const secure = settings.authUrl.startsWith('https:')
  cookies.secure = secure
  cookies.set(
    cookieName(settings),
    entries.map(({ person, browser, signature }) => `${person}.${browser}.${signature}`).join('~'),
    {
      signed: false,
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: keptForMs,
      overwrite: true,
    },
  )
}

function entriesIn(cookie: string | undefined): { person: string; browser: string; signature: string }[] {
  return (cookie ?? '').split('~').flatMap((entry) => {
    const [person, browser, signature] = entry.split('.')
    return person && browser && signature && /^[0-9a-f-]{36}$/.test(person) && /^[\w-]{16}$/.test(browser)
      ? [{ person, browser, signature }]
      : []
  })
}

function isSigned(key: string, owner: Owner, browser: string, signature: string): boolean {
  const [sent, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, owner, browser))]
  return sent.length === right.length && timingSafeEqual(sent, right)
}

function signatureOf(key: string, { id, password_hash }: Owner, browser: string): string {
  return createHmac('sha256', key).update(`known browser ${browser} of ${id} with ${password_hash}`).digest('base64url')
}
