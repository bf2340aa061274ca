import type { Command } from 'commander'
import { onDatabase, print, withExample, withJson } from '../command.ts'
import { examine, type JobsOf } from '../doctor.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal, jobsOf: JobsOf): void {
  withExample(withJson(command), 'lading distribute').action(async (options) => {
    await onDatabase(terminal, 'change', async ({ pool }) => {
      const { distribute } = await import('../../../platform/db/schema/distribute.ts')
      const { nodes, tables, rows } = await distribute(pool)
      print(
        terminal,
        options,
        { nodes, tables, rows },
        `Spread ${rows} rows of ${tables} tables over the nodes ${nodes.join(', ')}.`,
      )
    })
    // A new installation has no signing key before its first start.
    const wrong = (await examine(terminal.settings(), jobsOf)).filter(({ ok, what }) => !ok && what !== 'signing keys')
    for (const { what, message } of wrong) terminal.err(`✗ ${what}: ${message}\n`)
    if (wrong.length > 0) terminal.exitCode = 1
  })
}
