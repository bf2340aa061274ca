import type { Command } from 'commander'
import { StartError } from '../../../platform/core/start-error.ts'
import { bringUpToDate, type Json, print, withExample, withJson } from '../command.ts'
import { missingDatabase } from '../database.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  command.option(
    '--dry-run',
    'say which migrations would be applied, and which servers cannot serve after them; change nothing',
  )
  withExample(withJson(command), 'lading migrate').action((options) =>
    options.dryRun ? showPending(terminal, options) : migrate(terminal, options),
  )
}

function migrate(terminal: Terminal, options: Json): Promise<void> {
  return terminal.withDatabase(terminal.settings(), async (database) => {
    const applied = await bringUpToDate(database)
    const { schemaFaults } = await import('../../../platform/db/schema/schema-check.ts')
    const faults = await schemaFaults(database.pool)
    const text = applied.length === 0 ? 'The schema is current.' : `Applied ${applied.join(', ')}.`
    const wrong =
      faults.length === 0
        ? ''
        : `\nIt is not what the migrations make; was a restore cut short? ${faults.slice(0, 20).join(' ')}`
    print(terminal, options, { applied, ...(faults.length > 0 && { faults }) }, text + wrong)
    if (faults.length > 0) terminal.exitCode = 1
  })
}

async function showPending(terminal: Terminal, options: Json): Promise<void> {
  const missing = missingDatabase(terminal.settings())
  if (missing) throw new StartError(missing)
  await terminal.withDatabase(terminal.settings(), async ({ pool }) => {
    const { readSchemaState, refuseUnknown } = await import('../../../platform/db/schema/schema-state.ts')
    const { contractionOf, migrations } = await import('../../../platform/db/schema/migrations.ts')
    const state = await readSchemaState(pool.run)
    refuseUnknown(state)
    const pending = migrations
      .filter(({ name }) => state.pending.includes(name))
      .map(({ name, text }) => ({ name, contracts: contractionOf(text) }))
    const lines = pending.map(({ name, contracts }) =>
      contracts
        ? `${name}: stop servers from before ${contracts.before} first. ${contracts.reason}`
        : `${name}: servers of the version before can go on.`,
    )
    print(terminal, options, { pending }, lines.length === 0 ? 'The schema is current.' : lines.join('\n'))
  })
}
