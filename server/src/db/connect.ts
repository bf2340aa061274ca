import postgres from 'postgres'
import type { Address } from './embedded.ts'

export type Pool = postgres.Sql

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
  if (typeof target !== 'string') return postgres({ ...target, ...options })
  const severalHosts = /^postgres(ql)?:\/\/([^@/]*@)?[^/?]*,/.test(target)
  // With several hosts the writable one is meant, unless the address says otherwise.
  return postgres(target, severalHosts && !target.includes('target_session_attrs') ? { ...options, target_session_attrs: 'read-write' } : options)
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

/** Two transactions met in an order that PostgreSQL cannot serve; the one it ended can simply run again. */
export function isCollision(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01'
}
