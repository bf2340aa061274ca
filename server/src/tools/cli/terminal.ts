import { type Environment, readSettings, type Settings } from '../../settings.ts'

/** Where a command runs: what it reads its settings from, where it writes, and how it reaches the database. Tests bring their own. */
export type Terminal = {
  settings(): Settings
  out(text: string): void
  err(text: string): void
  withDatabase: typeof import('./database.ts').withDatabase
  /** What the program ends with if nothing is thrown. */
  exitCode: number
  /** For secrets that are not settings: access tokens do not belong on a command line. */
  env?: Environment
  /** Ends a command that runs until it is stopped; the signals of the process unless said. */
  stop?: AbortSignal
}

export function processTerminal(env: Environment = process.env): Terminal {
  return {
    settings: () => readSettings(env),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    // Loaded here and not above: what only prints help needs no driver of PostgreSQL.
    withDatabase: async (settings, work) => (await import('./database.ts')).withDatabase(settings, work),
    exitCode: 0,
    env,
  }
}
