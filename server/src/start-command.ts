import type { Command } from 'commander'
import { withExample } from './tools/cli/command.ts'
import type { Terminal } from './tools/cli/terminal.ts'

export function define(command: Command, { settings }: Terminal): void {
  withExample(command, 'PORT=8080 lading start').action(async () => (await import('./start.ts')).start(settings()))
}
