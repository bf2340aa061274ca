import type { Command } from 'commander'
import { listOrganizations, systemContext } from '../../../platform/organizations/actions.ts'
import { reindexObjects, requestReindexing } from '../../../records/upkeep/reindexing.ts'
import { onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  withExample(withJson(command), 'lading reindex').action((options) =>
    onDatabase(terminal, 'change', async (database) => {
      for (const { id } of await listOrganizations(database)) await requestReindexing(systemContext(database, id))
      const { read, repaired } = await reindexObjects(database)
      print(
        terminal,
        options,
        { read, repaired },
        `Read ${read} objects and repaired the index entries of ${repaired}.`,
      )
    }),
  )
}
