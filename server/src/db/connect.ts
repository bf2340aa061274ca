import { join } from 'node:path'
import type { Sql } from 'postgres'
import { postgres } from './driver.ts'
import type { Address } from './embedded.ts'
import { severalHosts } from './hosts.ts'

export type Pool = Sql

/** A pool of connections to the embedded server's address or to a `DATABASE_URL`. */
export function connect(target: Address | string, { max, name = 'lading' }: { max: number; name?: string }): Pool {
  const options = {
    max,
    // A query that finds the database away fails within seconds and is answered 503; the next one tries again.
    connect_timeout: 5,
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, 1),
    onnotice: () => {},
    connection: { application_name: name },
  }
  // By path: the driver would split a host at its commas and colons, and a directory may have either.
  if (typeof target !== 'string') return postgres({ ...target, host: 'localhost', path: join(target.host, `.s.PGSQL.${target.port}`), ...options })
  const several = severalHosts(target)
  if (!several) return postgres(target, options)
  // With several hosts the one that takes writes is meant, unless the address says otherwise.
  const whichever = target.includes('target_session_attrs') ? {} : { target_session_attrs: 'primary' as const }
  return postgres(several.url, { ...options, ...whichever, socket: several.socket } as object)
}

const awayCodes = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND'],
  // Shutting down, crashed, starting up, too many connections, writable no more.
  ...['57P01', '57P02', '57P03', '53300', '25006'],
])

/** The database is away, restarting or failing over: not a fault of the request, and worth trying again. */
export function isAway(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  return typeof code === 'string' && (awayCodes.has(code) || code.startsWith('08') || (errno !== undefined && awayCodes.has(String(errno))))
}

/** One line for people when the database cannot be used at all, or null when that is not what the error says. Never repeats a password. */
export function whyUnusable(error: unknown): string | null {
  const { code = '', message } = (error ?? {}) as { code?: string; message?: string }
  if (isAway(error)) return `The database cannot be reached (${message}).`
  if (code.startsWith('28')) return `The database does not let this user in (${message}). Look at the user and password of DATABASE_URL.`
  if (code === '3D000') return `The database does not exist (${message}). Create it first, or name another in DATABASE_URL.`
  if (code === '42501') return `The user of DATABASE_URL may not do what is needed (${message}). Make it the owner of the database.`
  return null
}

/** Two transactions met in an order that PostgreSQL cannot serve; the one it ended can simply run again. */
export function isCollision(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01'
}
