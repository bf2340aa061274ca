import { CommanderError } from 'commander'
import { Refusal } from './platform/core/refusal.ts'
import { StartError } from './platform/core/start-error.ts'
import { programFor } from './program.ts'
import { processTerminal, type Terminal } from './tools/cli/terminal.ts'
import { UsageError } from './tools/cli/usage.ts'

/** Exit codes: 0 done, 1 refused or failed, 2 the command line itself is wrong. */
export async function main(args: string[], terminal: Terminal = processTerminal()): Promise<number> {
  try {
    const program = await programFor(args, terminal)
    await program.parseAsync(args, { from: 'user' })
    return terminal.exitCode
  } catch (error) {
    // Whatever it has to say, commander has printed.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    report(terminal, error, args.includes('--json'))
    return error instanceof UsageError ? 2 : 1
  }
}

/** One line for people; for programs one object, in the form in which the API refuses. */
function report({ err, ...terminal }: Terminal, error: unknown, json: boolean): void {
  const { code, message, details = [], help, stack } = described(error)
  if (json) err(`${JSON.stringify({ error_code: code, error_message: message, details, ...(help && { help }) })}\n`)
  else err(`lading: ${message}${help ? ` See ${help}.` : ''}\n`)
  if (stack && !json && isDebugging(terminal)) err(`${stack}\n`)
}

type Described = {
  code: string
  message: string
  details?: Refusal['details']
  help?: string
  stack?: string | undefined
}

function described(error: unknown): Described {
  if (error instanceof UsageError) return { code: 'usage', message: error.message, help: error.help }
  if (error instanceof Refusal) return { code: error.code, message: error.message, details: error.details }
  if (error instanceof StartError) return { code: 'cannot_run', message: error.message }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  return {
    code: 'internal_error',
    message: `${message.split('\n')[0]} (this is a fault of Lading; LOG_LEVEL=debug shows where)`,
    stack,
  }
}

function isDebugging({ settings }: Pick<Terminal, 'settings'>): boolean {
  return ['debug', 'trace'].includes(settings().logLevel)
}
