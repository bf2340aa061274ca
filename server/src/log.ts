import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Settings } from './settings.ts'

export type Log = Logger

/** Whatever could let someone in stays out of the log, wherever it turns up. */
const secret = ['authorization', 'cookie', 'set-cookie', 'password', 'client_secret', 'access_token', 'refresh_token', 'assertion', 'token']

/** JSON lines, or, for people at a terminal, readable ones. Written in chunks under load, and in full at the end. */
export function makeLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Log {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secret.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[hidden]' },
  }
  if (logFormat === 'pretty') return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true }))
  return pino(options, pino.destination({ sync: false, minLength: 4096, periodicFlush: 200 }))
}
