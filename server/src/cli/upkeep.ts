import { resolve } from 'node:path'
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

  withJson(
    lading
      .command('backup')
      .description('save everything that is in the database, while it serves, and read it back')
      .argument('<to>', 'a directory that is not there yet, or a file whose name ends in .tar'),
  ).action((to: string, options) =>
    onDatabase(async ({ pool }) => {
      const { backUp } = await import('../backup/schedule.ts')
      const made = await backUp(pool, resolve(to), readSettings().version)
      print(options, made, `Saved ${made.rows} rows of ${made.tables} tables in ${made.path} (${Math.ceil(made.bytes / 2 ** 20)} MB), and read them back.`)
    }),
  )

  withJson(lading.command('restore').description('bring a backup into an empty database').argument('<from>', 'what lading backup has written')).action(
    (from: string, options) =>
      onDatabase(async ({ pool }) => {
        const { restoreBackup } = await import('../backup/restore.ts')
        const made = await restoreBackup(pool, resolve(from))
        print(options, made, `Restored ${made.rows} rows of ${made.tables} tables, as they were at ${made.made_at}.`)
      }, false),
  )

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
