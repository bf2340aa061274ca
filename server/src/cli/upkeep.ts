import type { Command } from 'commander'
import { listOrganizations, systemContext } from '../auth/organizations/actions.ts'
import { recountBooks } from '../billing/recount.ts'
import { reindexObjects, requestReindexing } from '../objects/upkeep/reindexing.ts'
import { recountObjects } from '../objects/upkeep/verify.ts'
import { readSettings } from '../settings.ts'
import { onDatabase, print, withJson } from './command.ts'
import { examine } from './doctor.ts'

/** What an operator runs when something may be wrong: the doctor, and what it advises. */
export function addUpkeep(lading: Command): void {
  withJson(lading.command('doctor').description('look for anything that is wrong with this installation and its data')).action(async (options) => {
    const findings = await examine(readSettings())
    print(options, findings, findings.map(({ ok, what, message }) => `${ok ? '✓' : '✗'} ${what}: ${message}`).join('\n'))
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  })

  withJson(lading.command('recount').description('count all records anew, for when the doctor says that a tally is off')).action((options) =>
    onDatabase(async (database) => {
      const organizations = await recountBooks(database)
      await recountObjects(database)
      print(options, { organizations }, `Counted the records of ${organizations} organizations.`)
    }),
  )

  withJson(lading.command('reindex').description('make the index entries of all objects anew, for when the doctor finds some that are wrong')).action(
    (options) =>
      onDatabase(async (database) => {
        for (const { id } of await listOrganizations(database)) await requestReindexing(systemContext(database, id))
        const { read, repaired } = await reindexObjects(database)
        print(options, { read, repaired }, `Read ${read} objects and repaired the index entries of ${repaired}.`)
      }),
  )
}
