/** The real program in a process of its own, as people run it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { openKeyring } from '../../src/platform/access/tokens/keyring.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { connect, type Pool } from '../../src/platform/db/pool/connect.ts'
import { isAlive } from '../../src/platform/db/postgres/binaries.ts'
import { type Address, embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { postmasterPid } from '../../src/platform/db/postgres/postmaster.ts'

export type Environment = Record<string, string | undefined>
export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }
export type Lading = {
  pid: number
  dataDir: string
  /** What it has said so far on either stream. */
  said(): string
  /** Its address, once /health/ready answers 200. */
  ready(): Promise<string>
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ended>
}

/** `program`: that of another version. */
type As = { uid?: number; gid?: number; detached?: boolean; program?: string; through?: 'npm start' }

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ours = fileURLToPath(new URL('../../bin/lading.js', import.meta.url))
/** Patience for a crowded machine, on which a first start has been seen to take over a minute. What passes waits for none of it. */
const deadlineMs = 480_000

/** `lading start` on a port that the system chooses, or that `env` says. Whatever is left of it when the test ends is killed. */
export function startLading(t: TestContext, dataDir: string, env: Environment = {}, as: As = {}): Lading {
  const { child, said, ended } = run(['start'], { PORT: '0', DATA_DIR: dataDir, ...env }, as)
  t.after(() => killAll(child, dataDir))
  return {
    pid: child.pid as number,
    dataDir,
    said,
    ended,
    kill: (signal) => void child.kill(signal),
    async ready() {
      const url = () => /Server listening at (http:\/\/[^"\s]+)/.exec(said())?.[1]
      await until(
        async () => {
          if (child.exitCode !== null || child.signalCode !== null)
            throw new Error(`It ended before it was ready: ${said()}`)
          // Said when every worker serves; one alone may answer before that.
          return (
            url() !== undefined &&
            / is ready at /.test(said()) &&
            (await call(`${url()}/health/ready`).catch(() => null))?.status === 200
          )
        },
        'it is ready',
        said,
      )
      return url() as string
    },
  }
}

/** Any other command of the tool, to its end. */
export function lading(args: string[], env: Environment = {}, as: As = {}): Promise<Ended> {
  return run(args, env, as).ended
}

/** A directory of its own for a test; where `like` is given, a copy of that one. */
export function newDataDir(t: TestContext, like?: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'lading-process-'))
  // PostgreSQL may have to enter as another user.
  chmodSync(dir, 0o711)
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  const data = join(dir, 'data')
  if (like) cpSync(like, data, { recursive: true, preserveTimestamps: true })
  return data
}

/** Most starts begin with a copy of this: a data directory that was started once and stopped. The first file to need it makes it for all of them. */
export async function usedDataDir(t: TestContext): Promise<string> {
  const place = join(process.env.LADING_TEST_SHARED as string, 'used')
  const [dataDir, done] = [join(place, 'data'), join(place, 'done')]
  const isOurs = mkdirSync(place, { recursive: true }) !== undefined
  if (isOurs) {
    const first = startLading(t, dataDir)
    await first.ready()
    first.kill('SIGTERM')
    await first.ended
    writeFileSync(done, '')
  }
  await until(() => existsSync(done), 'another test file has made the data directory to begin with')
  return dataDir
}

export async function until(condition: () => boolean | Promise<boolean>, what: string, said = () => ''): Promise<void> {
  for (const since = Date.now(); !(await condition()); await sleep(20)) {
    if (Date.now() - since > deadlineMs)
      throw new Error(`Waited ${deadlineMs / 1000} s in vain until ${what}. ${said()}`)
  }
}

export type Answered = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** One request, on a connection of its own where no agent is given. */
export function call(
  url: string,
  {
    method = 'GET',
    token,
    body,
    agent = false,
    signal,
  }: { method?: string; token?: string; body?: unknown; agent?: Agent | false; signal?: AbortSignal } = {},
): Promise<Answered> {
  return new Promise((done, failed) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = request(url, { method, headers, agent, ...(signal && { signal }) }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('end', () => done({ status: response.statusCode as number, headers: response.headers, body: text }))
      response.on('error', failed)
    })
    sent.on('error', failed)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export function demoOf(dataDir: string): Record<string, string> {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
}

/** The database behind a data directory, next to the server that runs on it. */
export function databaseOf(t: TestContext, target: Address | string): Pool {
  const pool = connect(target, { max: 1 })
  t.after(() => pool.end(0))
  return pool
}

/** A token of the demo organization, signed with the service's own key. */
export async function demoToken(t: TestContext, dataDir: string): Promise<string> {
  return (await demoTokens(t, dataDir))(newId())
}

/** The same for whoever is asked for; the application `test` itself has no role and may do what its scopes say. */
export async function demoTokens(t: TestContext, dataDir: string): Promise<(sub: string) => string> {
  const { auth_url: issuer = '', audience = '', org_id = '' } = demoOf(dataDir)
  const keyring = await openKeyring(databaseOf(t, embeddedAddress(dataDir)))
  return (sub) =>
    signToken(keyring, { issuer, audience }, { sub, client_id: 'test', org_id, scopes: scopeNames, role: 'member' })
}

/** The pid of the PostgreSQL that runs on a data directory, or null. */
export function postgresOn(dataDir: string): number | null {
  const pid = postmasterPid(join(dataDir, 'postgres'))
  return pid && isAlive(pid) ? pid : null
}

function run(args: string[], env: Environment, { program = ours, through, ...as }: As = {}) {
  const { DATABASE_URL: _, LADING_TEST_DATABASE: __, NODE_TEST_CONTEXT: ___, ...inherited } = process.env
  const [command, given] = through ? ['npm', ['start', '--silent']] : [process.execPath, [program, ...args]]
  const child = spawn(command, given, {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<Ended>((done) =>
    child.once('close', (code, signal) => done({ code, signal, stdout, stderr })),
  )
  return { child, said: () => stdout + stderr, ended }
}

function killAll(child: ChildProcess, dataDir: string): void {
  child.kill('SIGKILL')
  const postgres = postgresOn(dataDir)
  if (postgres) process.kill(postgres, 'SIGQUIT')
}
