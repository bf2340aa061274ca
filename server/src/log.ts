import pino, { type DestinationStream, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Settings } from './settings.ts'

export type Log = Logger

/** Whatever could let someone in stays out of the log, wherever it turns up. */
const secrets = new Set(['authorization', 'cookie', 'set-cookie', 'password', 'client_secret', 'access_token', 'refresh_token', 'assertion', 'token'])
const hidden = '[hidden]'
const deepest = 3

/** PostgreSQL quotes whole rows and statements in these: fields of an error that may hold what is secret. */
const quoting = ['detail', 'where', 'internalQuery', 'parameters']

/** JSON lines, or, for people at a terminal, readable ones. Written in chunks under load, and in full at the end. */
export function makeLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>, destination: DestinationStream = standardOutput(logFormat)): Log {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: isoTime,
      formatters: { level: (label: string) => ({ level: label }), log: (fields) => (mayHide(fields) ? withoutSecrets(fields) : fields) },
      // For what child loggers are bound to. Its wildcards would do for the rest too, but took a third of the time of every request.
      redact: { paths: [...secrets].map((name) => `["${name}"]`), censor: hidden },
      serializers: { err: errorWithoutValues },
    },
    destination,
  )
}

export type Answered = { id: string; method: string; path: string; route: string | undefined; status: number; ms: number; org: string | undefined; ip: string }

/** One line for every request is most of what is ever logged, so it is put together by hand, of few pieces: the logger would take three times as long. */
export function logAnswered(log: Log, { id, method, path, route, status, ms, org, ip }: Answered): void {
  if (!log.isLevelEnabled('info')) return
  const what = `","method":"${method}","path":${plain.test(path) ? `"${path}"` : JSON.stringify(path)}`
  const line = `{"level":"info"${isoTime()},"request_id":"${id}${what}${outcomeOf(route, status)}${Math.round(ms * 10) / 10}${callerOf(org, ip)}`
  ;(log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym]?.write(line)
}

/** Has nothing to escape; nearly every path is so, and to look takes a tenth of the time. */
const plain = /^[\w/.:~%-]*$/

const outcomeOf = remembering(
  (route: string | undefined, status: number) => `${route === undefined ? '' : `,"route":${JSON.stringify(route)}`},"status":${status},"ms":`,
)
const callerOf = remembering(
  (org: string | undefined, ip: string) => `${org === undefined ? '' : `,"org":"${org}"`},"ip":${JSON.stringify(ip)},"msg":"answered"}\n`,
)

/** For texts that come again and again. */
function remembering<One, Other>(make: (one: One, other: Other) => string): (one: One, other: Other) => string {
  const known = new Map<One, Map<Other, string>>()
  let count = 0
  return (one, other) => {
    const text = known.get(one)?.get(other)
    if (text !== undefined) return text
    if (++count % 5_000 === 0) known.clear()
    const made = make(one, other)
    known.set(one, (known.get(one) ?? new Map<Other, string>()).set(other, made))
    return made
  }
}

let lastTime = 0
let lastText = ''

/** Under load many lines fall into one millisecond, and writing a date is not free. */
function isoTime(): string {
  const now = Date.now()
  if (now !== lastTime) {
    lastTime = now
    lastText = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastText
}

function standardOutput(format: Settings['logFormat']): DestinationStream {
  return format === 'pretty'
    ? pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true })
    : gathered(pino.destination({ sync: false }))
}

const chunk = 64_000
const longestWaitMs = 200

/** Lines are handed on by the chunk. The stream below gathers too, but measures all that it has anew with every line. */
function gathered(below: ReturnType<typeof pino.destination>): DestinationStream & { flush(done?: () => void): void } {
  let lines = ''
  let due: NodeJS.Timeout | undefined
  const handOn = () => {
    clearTimeout(due)
    due = undefined
    if (lines !== '') below.write(lines)
    lines = ''
  }
  process.once('exit', () => {
    handOn()
    below.flushSync()
  })
  return {
    write(line) {
      lines += line
      if (lines.length >= chunk) handOn()
      else due ??= setTimeout(handOn, longestWaitMs).unref()
    },
    flush(done) {
      handOn()
      below.flush(done)
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
    const shown = secrets.has(name) ? hidden : typeof value === 'object' && depth < deepest ? withoutSecrets(value, depth + 1) : value
    if (shown !== value) copy = Object.assign(copy ?? copyOf(fields), { [name]: shown })
  }
  return copy ?? fields
}

function copyOf<T extends object>(fields: T): T {
  return (Array.isArray(fields) ? [...fields] : { ...fields }) as T
}

function errorWithoutValues(error: Error): object {
  return withoutSecrets(Object.fromEntries(Object.entries(pino.stdSerializers.err(error)).filter(([name]) => !quoting.includes(name))))
}
