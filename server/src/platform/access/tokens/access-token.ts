import { sign, verify } from 'node:crypto'
import { newId } from '../../core/values/ids.ts'
import type { Role } from '../roles.ts'
import type { Scope } from '../scopes.ts'
import type { Keyring } from './keyring.ts'

/** The claims of an access token (RFC 9068) that the API goes by. */
export type Claims = {
  iss: string
  aud: string | string[]
  sub: string
  client_id: string
  org_id: string
  /** The grant of a person that the token hangs on; an application acting for itself has none. */
  grant_id?: string
  /** The role of the user. Where it is missing, or was changed since, whoever needs it reads it from the database. */
  role?: string
  /** Only of an application that may only read. */
  access?: 'read'
  /** Only of one that a signed link was exchanged for: `sub` is the link. */
  kind?: 'link'
  scope: string
  jti: string
  iat: number
  exp: number
}

/** Why a token is no good; the caller learns it in the `error_description` of RFC 6750. */
export class BadToken extends Error {}

/** The token is genuine and in its time, but revoked. */
export class RevokedToken extends BadToken {
  readonly claims: Claims
  constructor(claims: Claims) {
    super('The access token has been revoked.')
    this.claims = claims
  }
}

export type VerifiedToken = Claims & { scopes: ReadonlySet<string> }

export type Issuance = { issuer: string; audience: string }

const generation = 5_000

/** Signs a token with the service's own key. */
export function signToken(
  keyring: Keyring,
  { issuer, audience }: Issuance,
  grant: {
    sub: string
    client_id: string
    org_id: string
    scopes: readonly Scope[]
    role?: Role
    access?: 'read'
    kind?: 'link'
    grant_id?: string
  },
  seconds = 3600,
): string {
  const { kid, privateKey } = keyring.current()
  const now = Math.floor(Date.now() / 1000)
  const claims: Claims = {
    iss: issuer,
    aud: audience,
    sub: grant.sub,
    client_id: grant.client_id,
    org_id: grant.org_id,
    ...(grant.grant_id && { grant_id: grant.grant_id }),
    ...(grant.kind && { kind: grant.kind }),
    ...(grant.role && { role: grant.role }),
    ...(grant.access && { access: grant.access }),
    scope: grant.scopes.join(' '),
    jti: newId(),
    iat: now,
    exp: now + seconds,
  }
  const content = `${encode({ alg: 'RS256', typ: 'at+jwt', kid })}.${encode(claims)}`
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`
}

/** What a good token says, and the key that signed it. */
type Checked = { kid: string; claims: VerifiedToken }

/** Answers at once, unless what is known of revocations is too old to go by: then when it has been read again. */
export type Verify = (token: string) => VerifiedToken | Promise<VerifiedToken>

/** What the verifier asks about revocations; `catchUp` is null where nothing need be waited for. */
type KnownRevocations = {
  catchUp(): Promise<void> | null
  isRevoked(claims: Claims): boolean
  hasOldRole(claims: Claims): boolean
}

/**
 * Checks tokens. A signature costs a hundred microseconds, so tokens found good are remembered. Synchronous on purpose: WebCrypto would queue
 * behind password hashing in the thread pool.
 */
export function tokenVerifier(keyring: Keyring, issuance: Issuance, revocations: KnownRevocations): Verify {
  // Two generations instead of an order: a hit writes nothing, and what is not asked for during a whole generation is forgotten.
  let young = new Map<string, Checked>()
  let old = new Map<string, Checked>()
  return (token) => {
    const known = young.get(token)
    // A key may be retired before its time, because somebody has it who should not; then what it signed is remembered in vain.
    const checked = known && keyring.find(known.kid) ? known : recall(token)
    const { claims } = checked
    if (claims.exp * 1000 <= Date.now()) throw new BadToken('The access token has expired.')
    const waiting = revocations.catchUp()
    return waiting ? waiting.then(() => unlessRevoked(claims)) : unlessRevoked(claims)
  }

  function unlessRevoked(claims: VerifiedToken): VerifiedToken {
    if (revocations.isRevoked(claims)) throw new RevokedToken(claims)
    if (claims.role === undefined || !revocations.hasOldRole(claims)) return claims
    const { role: _, ...rest } = claims
    return rest
  }

  function recall(token: string): Checked {
    const remembered = old.get(token)
    const checked = remembered && keyring.find(remembered.kid) ? remembered : check(token, keyring, issuance)
    if (young.size >= generation) {
      old = young
      young = new Map()
    }
    young.set(token, checked)
    return checked
  }
}

function check(token: string, keyring: Keyring, { issuer, audience }: Issuance): Checked {
  const [head, body, signature, ...rest] = token.split('.')
  const header = decode<{ alg?: unknown; typ?: unknown; kid?: unknown }>(head)
  const claims = decode<Claims>(body)
  if (!header || !claims || !signature || rest.length > 0) throw new BadToken('The access token is not a JWT.')
  if (header.alg !== 'RS256') throw new BadToken('The access token is not signed with RS256.')
  if (typeof header.typ !== 'string' || !/^(application\/)?at\+jwt$/i.test(header.typ))
    throw new BadToken('This is not an access token.')
  const key = typeof header.kid === 'string' ? keyring.find(header.kid) : undefined
  if (
    !key ||
    !verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key.publicKey, Buffer.from(signature, 'base64url'))
  ) {
    throw new BadToken('The signature of the access token does not hold.')
  }
  if (claims.iss !== issuer) throw new BadToken('The access token is from another issuer.')
  if (![claims.aud].flat().includes(audience)) throw new BadToken('The access token is for another audience.')
  const { exp, iat, ...names } = claims
  if (
    typeof exp !== 'number' ||
    typeof iat !== 'number' ||
    [names.org_id, names.sub, names.client_id, names.jti].some((name) => typeof name !== 'string')
  ) {
    throw new BadToken('The access token lacks a claim.')
  }
  return { kid: key.kid, claims: { ...claims, scopes: new Set(String(claims.scope ?? '').split(' ')) } }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode<T>(part: string | undefined): T | null {
  if (!part || !/^[\w-]+$/.test(part)) return null
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
