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

/** Makes the errors of a command and of those below it name the command whose help says more. */
export function nameHelpInErrors(command: Command): void {
  command.exitOverride((error) => {
    // Help that was asked for, the version, and a group that was named without one of its commands: all is printed already.
    if (error.exitCode === 0 || error.code === 'commander.help') throw error
    throw new UsageError(plain(error), helpOf(command))
  })
  for (const below of command.commands) nameHelpInErrors(below)
}

export function helpOf(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name())
  return `${names.join(' ')} --help`
}

/** Commander begins with "error:" and puts what is meant on a line of its own: "(Did you mean list?)". */
function plain({ message }: CommanderError): string {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n')
  return [/[.?!]$/.test(first) ? first : `${first}.`, ...more].join(' ').replace(/\((Did you mean .*?\?)\)/, '$1')
}
