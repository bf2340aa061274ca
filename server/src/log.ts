import pino, { type DestinationStream, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Settings } from './settings.ts'

export type Log = Logger

/** Whatever could let someone in stays out of the log, wherever it turns up. */
const secret = ['authorization', 'cookie', 'set-cookie', 'password', 'client_secret', 'access_token', 'refresh_token', 'assertion', 'token']

/** PostgreSQL quotes whole rows in these, and the driver the values it was given: fields of an error that may hold what is secret. */
const quoting = ['detail', 'where', 'parameters', 'args', 'query']

/** JSON lines, or, for people at a terminal, readable ones. Written in chunks under load, and in full at the end. */
export function makeLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>, destination: DestinationStream = standardOutput(logFormat)): Log {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      redact: { paths: secret.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[hidden]' },
      serializers: { err: errorWithoutValues },
    },
    destination,
  )
}

function standardOutput(format: Settings['logFormat']): DestinationStream {
  return format === 'pretty'
    ? pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true })
    : pino.destination({ sync: false, minLength: 4096, periodicFlush: 200 })
}

function errorWithoutValues(error: Error): object {
  return Object.fromEntries(Object.entries(pino.stdSerializers.err(error)).filter(([name]) => !quoting.includes(name)))
}
