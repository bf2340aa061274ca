import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { DestinationStream } from 'pino'
import { type ApplicationWithSecret, createApplication } from '../../src/identity/applications/actions.ts'
import type { NewApplication } from '../../src/identity/applications/model.ts'
import { createJoinedUser } from '../../src/identity/users/actions.ts'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { createOrganization, systemContext } from '../../src/platform/organizations/actions.ts'
import { openService, type Service } from '../service.ts'

export const callback = 'http://127.0.0.1:9/callback'
export const password = 'correct horse battery staple'

export type House = Service & { url: string }

let shared: Promise<House> | undefined

/** The house of all test files that share a process, as with sharedService. */
export function sharedHouse(): Promise<House> {
  shared ??= openHouse()
  return shared
}

/**
 * A server that listens, at the very address that it was told is its own. The port is taken before the service is built and never let go:
 * connections to it are handed on, so no other test can take it in between.
 */
export async function openHouse(
  env: Record<string, string> = {},
  logTo?: DestinationStream,
  clock?: () => Date,
): Promise<House> {
  const door = createServer()
  await new Promise<void>((ready) => door.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(door.address() as { port: number }).port}`
  const service = await openService({ PUBLIC_URL: url, TRUST_PROXY: '1', ...env }, logTo, clock)
  const open = new Set<Socket>()
  door.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    service.app.server.emit('connection', socket)
  })
  after(() => {
    door.close()
    for (const socket of open) socket.destroy()
  })
  return { ...service, url }
}

/** Another process on the same database, under the same address. */
export async function openSecond({ url }: House): Promise<House> {
  return { ...(await openService({ PUBLIC_URL: url, TRUST_PROXY: '1' })), url }
}

export type Party = {
  org: string
  user: string
  email: string
  application: ApplicationWithSecret & { client_secret: string }
}

/** An organization with an admin and a confidential application that may do everything, unless told otherwise. */
export async function newParty({ database }: Service, application: Partial<NewApplication> = {}): Promise<Party> {
  const { id: org } = await createOrganization(database, 'An organization')
  const ctx = systemContext(database, org)
  const email = newEmail()
  const { id: user } = await createJoinedUser(ctx, { email, name: 'Ada Admin', role: 'admin', password })
  const made = await createApplication(ctx, {
    name: 'An application',
    redirect_uris: [callback],
    scopes: scopeNames,
    grant_types:
      application.type === 'public'
        ? ['authorization_code', 'refresh_token']
        : ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
    ...application,
  })
  return { org, user, email, application: made as Party['application'] }
}

export function newEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}

/** Every test comes from somewhere else, so that no test's guesses are held against another's. */
export function newAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
}

export type Fields = Record<string, string>

export function post(
  { app }: Service,
  path: string,
  fields: Fields | string,
  headers: Fields = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': newAddress(), ...headers },
    payload: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  })
}

export function credentials({ application: { client_id, client_secret } }: Party): Fields {
  return client_secret ? { client_id, client_secret } : { client_id }
}

export function basic({ application: { client_id, client_secret } }: Party): Fields {
  return { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
}

/** A token request with the application's id and secret in the body. */
export function askToken(
  service: Service,
  party: Party,
  fields: Fields,
  headers: Fields = {},
): Promise<LightMyRequestResponse> {
  return post(service, '/oauth2/token', { ...credentials(party), ...fields }, headers)
}

export type Tokens = {
  access_token: string
  token_type: string
  expires_in: number
  refresh_token: string
  scope: string
  id_token?: string
}

export async function tokensByPassword(service: Service, party: Party, fields: Fields = {}): Promise<Tokens> {
  const answer = await askToken(service, party, { grant_type: 'password', username: party.email, password, ...fields })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}

export function refresh(
  service: Service,
  party: Party,
  refresh_token: string,
  fields: Fields = {},
): Promise<LightMyRequestResponse> {
  return askToken(service, party, { grant_type: 'refresh_token', refresh_token, ...fields })
}

/** What a token is good for: the status that the API answers to it. */
export async function tryToken({ app }: Service, token: string, path = '/api/v1/me'): Promise<number> {
  return (await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })).statusCode
}

export function pkce(): { verifier: string; challenge: Fields } {
  const verifier = randomBytes(32).toString('base64url')
  return {
    verifier,
    challenge: {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    },
  }
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** Asks again until it is so, for what has to become so within about a second; a crowded machine gets a few. */
export async function soon(holds: () => Promise<boolean>, withinMs = 5_000): Promise<boolean> {
  const end = Date.now() + withinMs
  while (Date.now() < end) {
    if (await holds()) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return holds()
}
