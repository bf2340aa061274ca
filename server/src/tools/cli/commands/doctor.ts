import type { Command } from 'commander'
import { print, withExample, withJson } from '../command.ts'
import { examine, type JobsOf } from '../doctor.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal, jobsOf: JobsOf): void {
  command.option('--deep', 'also read the content of every document, and compare it with what was sent')
  withExample(withJson(command), 'lading doctor', 'lading doctor --deep').action(async (options) => {
    const findings = await examine(terminal.settings(), jobsOf, { deep: options.deep === true })
    print(
      terminal,
      options,
      findings,
      findings.map(({ ok, what, message }) => `${ok ? '✓' : '✗'} ${what}: ${message}`).join('\n'),
    )
    if (findings.some(({ ok }) => !ok)) terminal.exitCode = 1
  })
}
