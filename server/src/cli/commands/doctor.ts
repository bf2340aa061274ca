import type { Command } from 'commander'
import { print, withExample, withJson } from '../command.ts'
import { examine } from '../doctor.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  withExample(withJson(command), 'lading doctor').action(async (options) => {
    const findings = await examine(terminal.settings())
    print(terminal, options, findings, findings.map(({ ok, what, message }) => `${ok ? '✓' : '✗'} ${what}: ${message}`).join('\n'))
    if (findings.some(({ ok }) => !ok)) terminal.exitCode = 1
  })
}
