import { createRequire } from 'node:module'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Settings } from '../../settings.ts'

export type Log = Logger

/** Whatever could let someone in stays out of the log, wherever it turns up. */
const secrets = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'client_secret',
  'access_token',
  'refresh_token',
  'assertion',
  'token',
])
const hidden = '[hidden]'
const deepest = 3

/** PostgreSQL quotes whole rows and statements in these: fields of an error that may hold what is secret. */
const quoting = ['detail', 'where', 'internalQuery', 'parameters']

/** JSON lines, or, for people at a terminal, readable ones. Written in chunks under load, and in full at the end. */
export function makeLog(
  { logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>,
  destination: DestinationStream = standardOutput(logFormat),
): Log {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label: string) => ({ level: label }),
        log: (fields) => (mayHide(fields) ? withoutSecrets(fields) : fields),
      },
      // For what child loggers are bound to. Its wildcards would hide what is deeper too, but cost 40 µs a line for each level; the formatter costs one.
      redact: { paths: [...secrets].map((name) => `["${name}"]`), censor: hidden },
      serializers: { err: errorWithoutValues },
    },
    destination,
  )
}

function standardOutput(format: Settings['logFormat']): DestinationStream {
  if (format !== 'pretty') return inChunks(pino.destination({ sync: false }))
  // Loaded for people only: a server that nobody watches is a megabyte smaller without it.
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true })
}

const chunk = 64_000
const longestWaitMs = 200

/** pino's own destination gathers lines too, but copies and measures all that it has with every line: that took a sixth of a request's time. */
function inChunks(
  destination: ReturnType<typeof pino.destination>,
): DestinationStream & { flush(done?: () => void): void } {
  let lines = ''
  let due: NodeJS.Timeout | undefined
  const handOn = () => {
    clearTimeout(due)
    due = undefined
    if (lines !== '') destination.write(lines)
    lines = ''
  }
  process.once('exit', () => {
    handOn()
    destination.flushSync()
  })
  return {
    write(line) {
      lines += line
      if (lines.length >= chunk) handOn()
      else due ??= setTimeout(handOn, longestWaitMs).unref()
    },
    flush(done) {
      handOn()
      destination.flush(done)
    },
  }
}

/** Most lines are a few plain values under harmless names, and pay for nothing more than this look. */
function mayHide(fields: object): boolean {
  for (const name in fields) {
    const value = (fields as Record<string, unknown>)[name]
    if (secrets.has(name) || (typeof value === 'object' && value !== null)) return true
  }
  return false
}

/** The same object, or a copy where there is something to hide. */
function withoutSecrets<T extends object>(fields: T, depth = 1): T {
  let copy: T | undefined
  for (const [name, value] of Object.entries(fields)) {
    // An error is left whole, for its serializer.
    if (value === undefined || value === null || (name === 'err' && depth === 1)) continue
    const shown = secrets.has(name)
      ? hidden
      : typeof value === 'object' && depth < deepest
        ? withoutSecrets(value, depth + 1)
        : value
    if (shown !== value) copy = Object.assign(copy ?? copyOf(fields), { [name]: shown })
  }
  return copy ?? fields
}

function copyOf<T extends object>(fields: T): T {
  return (Array.isArray(fields) ? [...fields] : { ...fields }) as T
}

function errorWithoutValues(error: Error): object {
  return withoutSecrets(
    Object.fromEntries(Object.entries(pino.stdSerializers.err(error)).filter(([name]) => !quoting.includes(name))),
  )
}
