import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { StartError } from '../core/start-error.ts'
import type { Pool } from './connect.ts'
import { isDistributed } from './placement.ts'
import { rowsOf } from './query.ts'
import type { Run } from './rows.ts'
import { sql } from './sql.ts'
import { statementsOf } from './statements.ts'

export type Migration = { name: string; text: string; checksum: string }

const folder = new URL('../../migrations/', import.meta.url)
const lock = 4_051_724
const oldestServer = 150_000

/** Brings the schema up to date and returns the names of what was applied. Safe to run from many processes at once. */
export function migrate(pool: Pool): Promise<string[]> {
  return migrateTo(pool, null)
}

/** The same with these migrations alone: how an older state of the schema is made, for data that was saved in it. */
export async function migrateTo(pool: Pool, names: readonly string[] | null): Promise<string[]> {
  const client = await pool.open()
  try {
    await takeLock(client)
    return await applyPending((statement) => rowsOf(client, statement), names)
  } finally {
    // The lock ends with its connection, which a pooler would keep open.
    await client.query(`select pg_advisory_unlock(${lock})`).catch(() => {})
    await client.end()
  }
}

/** Asked for again and again: who waits in `pg_advisory_lock` has a snapshot, for which an index that is made concurrently would wait in turn. */
async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lock}) as taken`)
    if (rows[0]?.taken) return
    await sleep(lockWaitMs)
  }
}

/** The checksums of the migrations of this version, by name. */
export function knownMigrations(): Map<string, string> {
  return new Map(readMigrations().map(({ name, checksum }) => [name, checksum]))
}

/** The migrations that the database does not have yet; none when it is current. */
export async function pendingMigrations(pool: Pool): Promise<string[]> {
  const done = await applied(pool.run)
  return readMigrations()
    .map(({ name }) => name)
    .filter((name) => !done.has(name))
}

async function applyPending(run: Run, names: readonly string[] | null): Promise<string[]> {
  await requireServer(run)
  await requireRole(run)
  const [table] = await run(sql`select to_regclass('schema_migrations') as name`)
  // Only asked for where it is missing: a node of a cluster that is not the coordinator may make none.
  if (!table?.name)
    await run(
      sql`create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
    )
  const done = await applied(run)
  const news: string[] = []
  for (const { name, text, checksum } of readMigrations()) {
    const before = done.get(name)
    if (before && before !== checksum) {
      throw new StartError(
        `The migration ${name} was changed after it had been applied to this database. Bring the file back as it was; changes go into a new migration.`,
      )
    }
    if (before || (names && !names.includes(name))) continue
    await requireCoordinator(run)
    await applyMigration(run, { name, text, checksum })
    news.push(name)
  }
  return news
}

/** Everyone who comes to a table after a statement that waits for its lock waits behind it. So it waits this long, lets the others go first, and tries again. */
const lockWaitMs = 500
const lockTries = 120

/**
 * The first line of a migration that makes indexes on tables that may be large: `create index concurrently` holds up nobody who writes, and runs outside
 * of transactions only. Such a migration may be cut off between two statements, so it must be good to run again: `drop index concurrently if exists` first.
 */
const concurrently = '-- outside of a transaction\n'

/** One migration in a transaction of its own: all of it or nothing. `run` goes through one connection. */
export async function applyMigration(run: Run, { name, text, checksum }: Migration): Promise<void> {
  const note = `insert into schema_migrations (name, checksum) values ('${name}', '${checksum}')`
  if (text.startsWith(concurrently)) {
    for (const statement of [...text.split(/;\s*\n/).filter((part) => part.trim() !== ''), note]) await run({ text: statement, values: [] })
    return
  }
  for (let tries = 1; ; tries++) {
    try {
      for (const part of await partsOf(run, `begin;\nset local lock_timeout = ${lockWaitMs};\n${text}\n;${note};\ncommit;`))
        await run({ text: part, values: [] })
      return
    } catch (error) {
      await run(sql`rollback`)
      if ((error as { code?: string }).code !== '55P03') throw error
      if (tries === lockTries)
        throw new StartError(
          `The migration ${name} found a table that it needs in use at each of ${tries} tries. End the long transactions on it, then start again.`,
        )
      await sleep(lockWaitMs)
    }
  }
}

/** In one trip; on a cluster one statement after the other, each on one shard after the other, as it wants changes of tables that refer to each other. */
async function partsOf(run: Run, text: string): Promise<string[]> {
  if (!(await isDistributed(run))) return [text]
  const [begin = '', ...rest] = statementsOf(text)
  return [begin, `set local citus.multi_shard_modify_mode = 'sequential'`, ...rest]
}

/** The other nodes of a cluster change no tables. */
async function requireCoordinator(run: Run): Promise<void> {
  if (!(await isDistributed(run))) return
  const [here] = await run<{ coordinator: boolean }>(sql`select citus_is_coordinator() as coordinator`)
  if (!here?.coordinator)
    throw new StartError('The schema has to be brought up to date by the coordinator of the cluster: lading migrate with its address in DATABASE_URL.')
}

async function requireServer(run: Run): Promise<void> {
  const [server] = await run<{ number: number; version: string }>(
    sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  if (server && server.number < oldestServer) throw new StartError(`This is PostgreSQL ${server.version}; Lading needs 15 or newer.`)
}

/** Requests are served by a role that owns nothing. Roles belong to the whole server, so another database may have made it. */
async function requireRole(run: Run): Promise<void> {
  try {
    await run(sql`
      do $$ begin
        if not exists (select from pg_roles where rolname = 'lading_app') then
          create role lading_app nologin nosuperuser nobypassrls;
        end if;
      exception when duplicate_object or unique_violation then null;
      end $$`)
    await run(sql`
      do $$ begin
        if not pg_has_role(current_user, 'lading_app', 'member') then execute format('grant lading_app to %I', current_user); end if;
      end $$`)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== '42501') throw error
    throw new StartError(
      `The role of DATABASE_URL may not make the role that serves requests (${message}). Have an administrator run: create role lading_app nologin; grant lading_app to <that role>;`,
    )
  }
}

async function applied(run: Run): Promise<Map<string, string>> {
  const [table] = await run(sql`select to_regclass('schema_migrations') as name`)
  if (!table?.name) return new Map()
  const rows = await run<{ name: string; checksum: string }>(sql`select name, checksum from schema_migrations`)
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    })
}
