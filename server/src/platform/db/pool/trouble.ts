import { type Refusal, unavailable } from '../../core/refusal.ts'
import { isAway, isCollision, OutcomeUnknown } from './away.ts'

/** What an operator or time must put right: by SQLSTATE, or by the class that its first two characters name, the narrower first. */
const troubles: readonly { codes: readonly string[]; message: string; retryAfterSeconds: number }[] = [
  {
    codes: ['53100'],
    message: 'The disk of the database is full. Its operator has to make room; try again later.',
    retryAfterSeconds: 30,
  },
  {
    codes: ['53'],
    message: 'The database is short of memory or connections. Try again in a moment.',
    retryAfterSeconds: 5,
  },
  {
    codes: ['55P03'],
    message: 'Somebody else is changing the same thing and has not finished. Try again.',
    retryAfterSeconds: 1,
  },
  {
    codes: ['57014'],
    message:
      'The database took longer over this than it may, or was told to stop. Try again, or ask for less at a time.',
    retryAfterSeconds: 5,
  },
  { codes: ['25006'], message: 'The database takes no changes at the moment. Try again.', retryAfterSeconds: 5 },
  {
    codes: ['58'],
    message: 'The database cannot read or write its files. Its operator has to look; try again later.',
    retryAfterSeconds: 30,
  },
  {
    codes: ['28', '3D'],
    message: 'The database does not let this server in. Its operator has to look; try again later.',
    retryAfterSeconds: 30,
  },
  { codes: ['57'], message: 'The database is being restarted, or was told to stop. Try again.', retryAfterSeconds: 1 },
]

/**
 * The refusal for an error that is neither the request's fault nor ours, or null. The one place where what PostgreSQL and its driver say becomes 503.
 */
export function refusalFor(error: unknown): Refusal | null {
  if (error instanceof OutcomeUnknown) {
    const refusal = unavailable(
      'The connection to the database was lost while the change was being saved, so it may or may not be saved. Send the same request again with the same Idempotency-Key to learn which; without a key, look before you send it again.',
      error.cause,
    )
    refusal.outcome = 'unknown'
    return refusal
  }
  const code = codeOf(error)
  const trouble = troubles.find(({ codes }) =>
    codes.some((one) => (one.length === 2 ? code.startsWith(one) : code === one)),
  )
  if (isCollision(error)) return unavailable('Too many are changing the same thing at this moment. Try again.', error)
  if (isAway(error) && !['53300', '25006'].includes(code))
    return unavailable('The database is away for a moment. Try again.', error)
  return trouble ? unavailable(trouble.message, error, trouble.retryAfterSeconds) : null
}

/** The files of PostgreSQL's source that read and write its own files. */
const storage = new Set([
  'md.c',
  'fd.c',
  'bufmgr.c',
  'buffile.c',
  'slru.c',
  'xlog.c',
  'xlogutils.c',
  'copydir.c',
  'relmapper.c',
  'storage.c',
])

/** PostgreSQL has no code for a file system that became read-only: it says that it lacks the right to write, as of a table that is not ours. */
function codeOf(error: unknown): string {
  const { code, file, message } = (error ?? {}) as { code?: unknown; file?: unknown; message?: unknown }
  if (typeof code !== 'string') return ''
  const isReadOnlyDisk =
    code === '42501' && (storage.has(String(file)) || String(message).endsWith('Read-only file system'))
  return isReadOnlyDisk ? '25006' : code
}
