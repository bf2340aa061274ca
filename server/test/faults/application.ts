/** An application that works with the real program while that is broken, and the ways to end its processes. */
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { openKeyring } from '../../src/platform/access/tokens/keyring.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { isAlive } from '../../src/platform/db/postgres/binaries.ts'
import type { Address } from '../../src/platform/db/postgres/embedded.ts'
import { createOrganization } from '../../src/platform/organizations/actions.ts'
import { type Environment, type Lading, lading, startLading } from '../process/lading.ts'

// biome-ignore lint/suspicious/noExplicitAny: what each path answers is known where it is asked.
export type Client = (method: string, path: string, body?: object) => Promise<any>

/** Asks until it is answered: the server is away for a while. What makes something has the same key each time. */
export function clientOf(base: string, token: string): Client {
  return async (method, path, body) => {
    const key = crypto.randomUUID()
    for (;;) {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(method !== 'GET' && { 'idempotency-key': key }),
      }
      const answer = await fetch(`${base}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => null)
      const text = await answer?.text().catch(() => null)
      if (answer?.ok && typeof text === 'string') return JSON.parse(text)
      if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429)
        throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
      await sleep(100)
    }
  }
}

/** Of a new organization, for an application that acts for itself: it has no role, and its scopes decide. */
export async function newToken(t: TestContext, target: Address | string, base: string): Promise<string> {
  const database = openDatabase(connect(target, { max: 2 }))
  t.after(() => database.close())
  const { id } = await createOrganization(database, 'In the fault suite')
  return signToken(
    await openKeyring(database.pool),
    { issuer: base, audience: `${base}/` },
    { sub: 'load', client_id: 'load', org_id: id, scopes: scopeNames },
  )
}

/** What an installation's own examination finds fault with, by what it is about. */
export async function findingsOf(env: Environment, ...options: string[]): Promise<Record<string, string>> {
  const { stdout, stderr } = await lading(['doctor', '--json', ...options], env)
  if (!stdout.startsWith('[')) return { doctor: `It could not look: ${stderr}` }
  const findings = JSON.parse(stdout) as { ok: boolean; what: string; message: string }[]
  return Object.fromEntries(findings.filter(({ ok }) => !ok).map(({ what, message }) => [what, message]))
}

/** Whether something became so in time. */
export async function within(ms: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const since = performance.now(); performance.now() - since < ms; await sleep(100)) if (await isSo()) return true
  return false
}

export async function startReady(t: TestContext, dataDir: string, env: Environment): Promise<Lading> {
  const server = startLading(t, dataDir, env)
  await server.ready()
  return server
}

export function workersOf({ pid }: Lading): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .filter(isAlive)
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('lading.js'))
}

export function kill(pid: number | undefined): void {
  if (pid) process.kill(pid, 'SIGKILL')
}
