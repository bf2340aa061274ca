import type { Command } from 'commander'
import { createOrganization, listOrganizations } from '../../../platform/organizations/actions.ts'
import { onDatabase, print, table, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  const create = command
    .command('create')
    .description('make an organization')
    .argument('<name>', 'such as "Blue Ridge Freight"')
  withExample(withJson(create), 'lading org create "Blue Ridge Freight"').action((name, options) =>
    onDatabase(terminal, 'make', async (database) => {
      const made = await createOrganization(database, name)
      print(terminal, options, made, `Made the organization ${made.name}: ${made.id}`)
    }),
  )

  const list = command.command('list').description('list the organizations')
  withExample(withJson(list), 'lading org list').action((options) =>
    onDatabase(terminal, 'read', async (database) => {
      const all = await listOrganizations(database)
      print(terminal, options, all, table(all.map(({ id, name }) => [id, name])) || 'There is no organization yet.')
    }),
  )
}
