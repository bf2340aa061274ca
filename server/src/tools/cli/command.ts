import { type Command, InvalidArgumentError } from 'commander'
import type { Context } from '../../platform/context.ts'
import { invalid, Refusal } from '../../platform/core/refusal.ts'
import { StartError } from '../../platform/core/start-error.ts'
import { readId } from '../../platform/core/values/ids.ts'
import type { Database } from '../../platform/db/database.ts'
import { findOrganization, listOrganizations, systemContext } from '../../platform/organizations/actions.ts'
import { missingDatabase } from './database.ts'
import type { Terminal } from './terminal.ts'
import { helpOf, UsageError } from './usage.ts'

export type Json = { json?: boolean | undefined }

export function withJson(command: Command): Command {
  return command.option('--json', 'answer in JSON, errors too')
}

export function withExample(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

export function withOrg(command: Command): Command {
  return command.option('--org <id>', 'the organization; not needed where there is only one', organizationId)
}

export function print({ out }: Terminal, { json }: Json, value: unknown, text: string): void {
  out(`${json ? JSON.stringify(value, null, 2) : text}\n`)
}

/** Rows under each other, every column as wide as its widest cell. */
export function table(rows: readonly (readonly (string | null)[])[]): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, index) => Math.max(all[index] ?? 0, cell?.length ?? 1)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, index) => (cell ?? '-').padEnd(widths[index] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * `make` also makes the database where there is none, and brings its schema up to date; `change` works on one that is there, and does the same;
 * `read` changes nothing at all.
 */
export async function onDatabase(
  terminal: Terminal,
  manner: 'make' | 'change' | 'read',
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const settings = terminal.settings()
  const missing = manner === 'make' ? null : missingDatabase(settings)
  if (missing) throw new StartError(missing)
  return terminal.withDatabase(settings, async (database) => {
    if (manner === 'read') await requireCurrent(database)
    else await bringUpToDate(database)
    await work(database)
  })
}

/** Brings the schema and the index of objects up to date; answers the migrations that were applied. */
export async function bringUpToDate(database: Database): Promise<string[]> {
  const { migrate } = await import('../../platform/db/schema/migrate.ts')
  const { reindexObjects } = await import('../../records/upkeep/reindexing.ts')
  const applied = await migrate(database.pool)
  await reindexObjects(database)
  return applied
}

async function requireCurrent({ pool }: Database): Promise<void> {
  const { readSchemaState, refuseUnknown } = await import('../../platform/db/schema/schema-state.ts')
  const state = await readSchemaState(pool.run)
  refuseUnknown(state)
  if (state.pending.length > 0)
    throw new StartError(
      `The schema of the database is not current (${state.pending.length} migrations are missing); lading migrate brings it up to date.`,
    )
}

/** The context of the organization that is named, or of the only one there is. */
export async function contextOf(database: Database, org?: string): Promise<Context> {
  const id = org ?? (await onlyOrganization(database))
  if (!(await findOrganization(database, id)))
    throw new Refusal(
      'not_found',
      'not_found',
      `There is no organization ${id}; lading org list shows those there are.`,
    )
  return systemContext(database, id)
}

async function onlyOrganization(database: Database): Promise<string> {
  const [one, another] = await listOrganizations(database)
  if (!one) throw invalid('org', 'no_organization', 'There is no organization yet; lading org create makes one.')
  if (another)
    throw invalid('org', 'org_required', 'There are several organizations: say which with --org (see lading org list).')
  return one.id
}

export function organizationId(text: string): string {
  const id = readId(text)
  if (!id) throw new InvalidArgumentError('It must be the UUID of an organization (see lading org list).')
  return id
}

/** A number of a command line, from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    return number
  }
}

/** What `check` finds wrong with the fields is wrong in the command line: `names` says how each field is written there, in that order. */
export function requireUsage(command: Command, names: Record<string, string>, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    const nameOf = (field: string) => field.split('.')[0] as string
    const inOrder = error.details.toSorted(
      (a, b) => Object.keys(names).indexOf(nameOf(a.field)) - Object.keys(names).indexOf(nameOf(b.field)),
    )
    const messages = inOrder.map(({ field, message }) => message.replace(`"${field}"`, names[nameOf(field)] ?? field))
    throw new UsageError(messages.join(' '), helpOf(command))
  }
}
