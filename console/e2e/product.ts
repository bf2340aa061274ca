/** The Lading that `run.ts` started, and what its API and command line tool make in it. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export type Place = { url: string; dataDir: string }
export type Demo = {
  token_url: string
  authorize_url: string
  org_id: string
  username: string
  password: string
  client_id: string
  client_secret: string
  redirect_uris: string[]
}
export type Person = { email: string; password: string; name: string }
export type Application = { name: string; client_id: string; client_secret: string; callback: string }

const program = fileURLToPath(new URL('../../server/bin/lading.js', import.meta.url))

export function product(): Place & { inbox: string; demo: Demo; otherOrg: string } {
  const given = process.env.LADING_BROWSER_TESTS
  if (!given) throw new Error('Run the browser tests with npm run test:browser: it starts the product.')
  return JSON.parse(given)
}

export async function runTool({ url, dataDir }: Place, ...args: string[]): Promise<Record<string, string>> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: dataDir, PORT: new URL(url).port }
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], { env })
  return JSON.parse(stdout)
}

export async function call<Body>(
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${product().url}/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Body & { error_code?: string }
    // A busy machine may have more requests under way than one organization may have at once.
    if (answer.error_code !== 'organization_busy' || tries === 30) return { status: response.status, body: answer }
    await sleep(1000)
  }
}

export type Me = { user: { email: string }; organization: { id: string }; scopes: string[] }

export async function tokenFrom(form: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(product().demo.token_url, { method: 'POST', body: new URLSearchParams(form) })
  return (await response.json()) as Record<string, string>
}

let admin: Promise<string> | undefined

/** A token of the demo organization's admin. Asked for once: a password costs time to check, on purpose. */
export function adminToken(): Promise<string> {
  const { username, password, client_id, client_secret } = product().demo
  admin ??= tokenFrom({ grant_type: 'password', username, password, client_id, client_secret }).then(
    ({ access_token = '' }) => access_token,
  )
  return admin
}

export function newEmail(): string {
  return `${randomBytes(5).toString('hex')}@people.example`
}

export type Role = 'admin' | 'member' | 'clerk' | 'approver' | 'payer' | 'read_only'

/** A user of the demo organization who can sign in. */
export async function newPerson(name = 'Robin Weaver', role: Role = 'member'): Promise<Person> {
  return joinAs(await adminToken(), name, role)
}

/** A user of the organization of this token who can sign in. */
export async function joinAs(token: string, name: string, role: Role): Promise<Person & { id: string }> {
  const person = { email: newEmail(), password: 'correct horse battery', name }
  const { email, password } = person
  const { status, body } = await call<{ user: { id: string }; invitation_url: string }>(token, 'POST', '/users', {
    email,
    name,
    role,
  })
  if (status !== 201) throw new Error(`could not make a person: ${status}`)
  const joined = await fetch(body.invitation_url, { method: 'POST', body: new URLSearchParams({ password }) })
  if (!joined.ok) throw new Error(`could not join: ${joined.status}`)
  return { ...person, id: body.user.id }
}

let other: Promise<string> | undefined

/** A token of an application of the other organization, in which nobody pays: its rules can be changed without hindering other tests. */
export function otherToken(): Promise<string> {
  const made = async () => {
    const { client_id = '', client_secret = '' } = await runTool(
      product(),
      ...['application', 'create', 'Desk', '--org', product().otherOrg, '--grant', 'client_credentials'],
    )
    return (await tokenFrom({ grant_type: 'client_credentials', client_id, client_secret })).access_token ?? ''
  }
  other ??= made()
  return other
}

export type Session = { name: string; value: string; url: string }[]

/** What a browser keeps of somebody who signed in. */
export async function newSession({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Session> {
  const { url } = product()
  const response = await fetch(`${url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  })
  if (response.status !== 303) throw new Error(`could not sign in: ${response.status}`)
  return response.headers.getSetCookie().map((cookie) => {
    const [pair = ''] = cookie.split(';')
    const end = pair.indexOf('=')
    return { name: pair.slice(0, end), value: pair.slice(end + 1), url }
  })
}

export async function newApplication(
  callback: string,
  { name = 'Warehouse sync', scopes = ['bills', 'bill_item_types'] } = {},
): Promise<Application> {
  type Made = { oauth_application: { client_id: string; client_secret: string } }
  const { status, body } = await call<Made>(await adminToken(), 'POST', '/oauth_applications', {
    name,
    redirect_uris: [callback],
    scopes,
  })
  if (status !== 201) throw new Error(`could not make an application: ${status} ${JSON.stringify(body)}`)
  const { client_id, client_secret } = body.oauth_application
  return { name, client_id, client_secret, callback }
}
