const awayCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOTCONN', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ERR_SOCKET_CLOSED', 'ERR_STREAM_DESTROYED'],
  // Shutting down, crashed, starting up, idle for too long, too many connections, writable no more.
  ...['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '53300', '25006'],
])

/** The driver's own errors about connections have no code. */
const awayMessages = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'There was an error establishing an SSL connection',
])

/** What the driver says of a connection on which an answer came that no question was due to: nothing on it can be believed any more. */
const outOfStep = 'Received unexpected '

/** The connection was lost after the end of the transaction was asked for, and before the answer: nobody knows whether it was committed. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during the commit', { cause })
  }
}

/** The database is away, restarting or failing over: not a fault of the request, and worth trying again. */
export function isAway(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return true
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  if (typeof code !== 'string')
    return typeof message === 'string' && (awayMessages.has(message) || message.startsWith(outOfStep))
  // A socket of the database that is not there; of a file it says nothing about the database.
  if (code === 'ENOENT') return syscall === 'connect'
  return awayCodes.has(code) || code.startsWith('08')
}

/**
 * Another node of a cluster is away, the connection to this one is whole: it says so as an error of the statement, where one that ends the connection
 * is fatal. Only the organizations on that node are affected.
 */
export function isNodeAway(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return severity === 'ERROR' && code !== '25006' && isAway(error)
}

/** The connection itself is of no more use. */
export function isBroken(error: unknown): boolean {
  return isAway(error) && !isNodeAway(error)
}

/** One line for people when the database cannot be used at all, or null when that is not what the error says. Never repeats a password. */
export function whyUnusable(error: unknown): string | null {
  const { code = '', message } = (error ?? {}) as { code?: string; message?: string }
  if (message?.startsWith('SASL:') && message.includes('password'))
    return 'DATABASE_URL names no password, and the database asks for one. Add it: postgres://user:password@host/database.'
  if (isAway(error)) return `The database cannot be reached (${message || code}).`
  if (code.startsWith('28'))
    return `The database does not let this user in (${message}). Look at the user and password of DATABASE_URL.`
  if (code === '3D000')
    return `The database does not exist (${message}). Create it first, or name another in DATABASE_URL.`
  if (code === '42501')
    return `The user of DATABASE_URL may not do what is needed (${message}). Make it the owner of the database.`
  return null
}

/** Two transactions met in an order that PostgreSQL cannot serve; the one it ended can simply run again. */
export function isCollision(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01'
}

/** What a store throws that has found its locks in an order in which it must not wait for them: the transaction begins again. */
export function collision(message: string): Error {
  return Object.assign(new Error(message), { code: '40001' })
}

/** A statement took longer than its `statement_timeout`, or was cancelled. */
export function isOutOfTime(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '57014'
}

/** The connection's prepared statement does not fit the tables any more, or is gone: on a new connection the same statement runs. */
export function isStale(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
