import type { Command, CommanderError } from 'commander'

/** The command line is wrong. `help` is the command that says how it is right. */
export class UsageError extends Error {
  readonly help: string

  constructor(message: string, help: string) {
    super(message)
    this.name = 'UsageError'
    this.help = help
  }
}

/**
 * Makes the errors of a command and of those below it name the command whose help says more. A group that was named without one of its commands
 * shows its help instead, but not to a program.
 */
export function nameHelpInErrors(command: Command, json: boolean): void {
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw error
    if (error.code !== 'commander.help') throw new UsageError(plain(error), helpOf(command))
    throw json ? new UsageError('Say which command is meant.', helpOf(command)) : error
  })
  for (const below of command.commands) nameHelpInErrors(below, json)
}

export function helpOf(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name())
  return `${names.join(' ')} --help`
}

/** Commander begins with "error:" and puts what is meant on a line of its own: "(Did you mean list?)". */
function plain({ message }: CommanderError): string {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n')
  return [/[.?!]$/.test(first) ? first : `${first}.`, ...more].join(' ').replace(/\((Did you mean [^()?]*\?)\)/, '$1')
}
