import type { Command } from 'commander'
import { documentKinds } from '../../../books/kinds/kinds.ts'
import type { Context } from '../../../platform/context.ts'
import { contextOf, onDatabase, print, withExample, withJson, withOrg } from '../command.ts'
import { carrierInvoicesIn, documentsIn, type ImportSource, importFile, objectsIn, summaryOf } from '../import.ts'
import type { Terminal } from '../terminal.ts'

type Options = { org?: string; dryRun: boolean; report?: string; json?: boolean }

export function define(command: Command, terminal: Terminal): void {
  for (const kind of documentKinds) {
    const { plural } = kind
    const documents = command
      .command(plural)
      .description(
        `create or update ${plural} from a CSV file with the columns of the export; running it again goes on where it stopped`,
      )
    withExample(fromFile(documents), `lading import ${plural} ${plural}.csv --dry-run`).action(
      (file: string, options: Options) => importing(terminal, file, options, (ctx) => documentsIn(ctx, kind)),
    )
  }

  const invoices = command
    .command('carrier_invoices')
    .description('create carrier invoices from a CSV file, a row for each line; running it again makes none twice')
  withExample(fromFile(invoices), 'lading import carrier_invoices invoices.csv --dry-run').action(
    (file: string, options: Options) => importing(terminal, file, options, carrierInvoicesIn),
  )

  const objects = command
    .command('objects')
    .description(
      'create or update objects of a kind from a CSV file with the columns of the export; running it again goes on where it stopped',
    )
    .requiredOption('--kind <objectKey>', 'the kind of object, such as customer')
  withExample(fromFile(objects), 'lading import objects customers.csv --kind customer').action(
    (file: string, { kind, ...options }: Options & { kind: string }) =>
      importing(terminal, file, options, (ctx) => objectsIn(ctx, kind)),
  )
}

function fromFile(command: Command): Command {
  return withJson(
    withOrg(command.argument('<file>', 'CSV in UTF-8, with a header'))
      .option('--dry-run', 'only say what would be', false)
      .option('--report <file>', 'where to write the rows that fail; <file>.failed.csv unless said'),
  )
}

function importing(
  terminal: Terminal,
  file: string,
  { org, dryRun, report = `${file}.failed.csv`, json = false }: Options,
  incoming: (ctx: Context) => ImportSource,
): Promise<void> {
  return onDatabase(terminal, 'change', async (database) => {
    const ctx = await contextOf(database, org)
    // With --json, stderr is for the one error that there may be.
    const imported = await importFile(incoming(ctx), file, { dryRun, report, quiet: json })
    print(terminal, { json }, { dry_run: dryRun, ...imported }, summaryOf(imported, dryRun))
    if (imported.counts.failed > 0 || imported.stopped) terminal.exitCode = 1
  })
}
