import { StartError } from '../../core/start-error.ts'
import type { Run } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'
import { baseline, knownMigrations, migrations } from './migrations.ts'

export type SchemaState = {
  /** The database was made by 0.1, before there was the baseline. */
  isOfBefore: boolean
  /** The migrations of this version that the database does not have yet. */
  pending: string[]
  /** The migrations of the database that this version does not know. */
  newer: string[]
  /** Those of them on whose schema this version cannot serve. */
  contracting: string[]
}

type Applied = { name: string; checksum: string; oldest_code: string | null }

export async function readSchemaState(run: Run): Promise<SchemaState> {
  return stateOf(await listApplied(run))
}

export async function listApplied(run: Run): Promise<Applied[]> {
  const [table] = await run(sql`select to_regclass('schema_migrations') as name`)
  if (!table?.name) return []
  // Through JSON, because a database of 0.1 may not have that column.
  return run<Applied>(
    sql`select name, checksum, to_jsonb(m) ->> 'oldest_code' as oldest_code from schema_migrations m order by name`,
  )
}

export function stateOf(applied: readonly Applied[]): SchemaState {
  const known = knownMigrations()
  const done = new Set(applied.map(({ name }) => name))
  const newer = applied.filter(({ name }) => !known.has(name))
  return {
    isOfBefore: done.size > 0 && !done.has(baseline),
    pending: migrations.map(({ name }) => name).filter((name) => !done.has(name)),
    newer: newer.map(({ name }) => name),
    contracting: newer
      .filter(({ oldest_code }) => oldest_code !== null && !known.has(oldest_code))
      .map(({ name }) => name),
  }
}

/** Code does not begin to work on a schema that it does not know: what it would write was never tried there. */
export function refuseUnknown({ isOfBefore, newer }: SchemaState): void {
  if (isOfBefore) throw new StartError(ofBefore)
  if (newer.length === 0) return
  throw new StartError(
    `The schema of the database is newer than this version of Lading: it has ${listed(newer)}. Use the version that applied it or a newer one; the way back to this version is a backup from before.`,
  )
}

/** Whether a process of this version that runs already can serve on such a schema, and what to do. */
export function describeState({ isOfBefore, pending, newer, contracting }: SchemaState): {
  ok: boolean
  message: string
} {
  if (isOfBefore) return { ok: false, message: ofBefore }
  if (contracting.length > 0)
    return {
      ok: false,
      message: `This version is too old for the schema, which has ${listed(contracting)}. Stop it and start the newer version.`,
    }
  if (pending.length > 0) return { ok: false, message: `Run \`lading migrate\`: ${listed(pending)} is not applied.` }
  if (newer.length > 0)
    return {
      ok: true,
      message: `The schema is newer than this version: it has ${listed(newer)}. This process can go on serving, but would not start again; replace it by the newer version.`,
    }
  return { ok: true, message: 'The schema is current.' }
}

const ofBefore =
  'This database was made by Lading 0.1, and nothing was changed in it. To carry it over, make a backup with the version that made it (lading backup before.tar), and restore that with this version into an empty DATA_DIR or DATABASE_URL (lading restore before.tar).'

function listed(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ')
}
