import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { StartError } from '../../core/start-error.ts'
import { isDistributed } from '../cluster/placement.ts'
import { isAway } from '../pool/away.ts'
import type { Pool } from '../pool/connect.ts'
import { letterFault } from '../sql/letters.ts'
import { rowsOf } from '../sql/query.ts'
import type { Run } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'
import { statementsOf } from '../sql/statements.ts'
import { type Guard, makeGuard, markAsGuarded } from './lock-queue.ts'
import { contractionOf, type Migration, migrations } from './migrations.ts'
import { listOrganizationIds } from './organizations.ts'
import { listApplied, refuseUnknown, stateOf } from './schema-state.ts'

const lock = 4_051_724
const oldestServer = 150_000

/** Brings the schema up to date and returns the names of what was applied. Safe to run from many processes at once. */
export function migrate(pool: Pool): Promise<string[]> {
  return migrateTo(pool, null)
}

/** The same with these migrations alone: how an older state of the schema is made, for data that was saved in it. */
export async function migrateTo(pool: Pool, names: readonly string[] | null): Promise<string[]> {
  const client = await pool.open()
  let watcher: Client | undefined
  try {
    await takeLock(client)
    watcher = await pool.open()
    return await applyPending((statement) => rowsOf(client, statement), names, makeGuard(watcher))
  } finally {
    // The lock ends with its connection, which a pooler would keep open.
    await client.query(`select pg_advisory_unlock(${lock})`).catch(() => {})
    await Promise.all([client.end(), watcher?.end()])
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

async function applyPending(run: Run, names: readonly string[] | null, guard: Guard): Promise<string[]> {
  await requireServer(run)
  const applied = await listApplied(run)
  refuseUnknown(stateOf(applied))
  if (applied.length === 0) await requireLetters(run)
  await requireRole(run)
  // Only asked for where it is missing: a node of a cluster that is not the coordinator may make none.
  if (applied.length === 0)
    await run(
      sql`create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now(), oldest_code text)`,
    )
  const done = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const news: string[] = []
  for (const { name, text, checksum } of migrations) {
    const before = done.get(name)
    if (before && before !== checksum) {
      throw new StartError(
        `The migration ${name} was changed after it had been applied to this database. Bring the file back as it was; changes go into a new migration.`,
      )
    }
    if (before || (names && !names.includes(name))) continue
    await requireCoordinator(run)
    await applyMigration(run, { name, text, checksum }, guard)
    news.push(name)
  }
  return news
}

/** Everyone who comes to a table after a statement that waits for its lock waits behind it. So it waits this long, lets the others go first, and tries again. */
const lockWaitMs = 500
const lockTries = 120
/** A time limit that the role has for its statements is meant for requests. */
const opening = `begin; set local lock_timeout = ${lockWaitMs}; set local statement_timeout = 0; ${markAsGuarded}`

/**
 * The first line of a migration that makes indexes on tables that may be large: `create index concurrently` holds up nobody who writes, and runs outside
 * of transactions only. Such a migration may be cut off between two statements, so it must be good to run again: `drop index concurrently if exists` first.
 */
const concurrently = '-- outside of a transaction\n'

/**
 * The first line of a migration that fills what an earlier one has added. It is one statement over the rows of `current_setting('app.org_id')::uuid`
 * that changes at most a thousand of those that are not filled yet and returns them; it is repeated, each time in a transaction of its own.
 */
const inLots = '-- in lots for each organization\n'

/** All of a migration, and the note that it was applied; or an error that names it. `run` goes through one connection. */
export async function applyMigration(
  run: Run,
  { name, text, checksum }: Migration,
  guard: Guard = (work) => work(),
): Promise<void> {
  const oldestCode = contractionOf(text)?.before
  const note = `insert into schema_migrations (name, checksum, oldest_code) values ('${name}', '${checksum}', ${oldestCode ? `'${oldestCode}'` : 'null'})`
  const attempt = <T>(work: () => Promise<T>) => trying(run, name, () => guard(work))
  try {
    if (text.startsWith(concurrently)) await applyOutside(run, text, note)
    else if (text.startsWith(inLots)) await applyInLots(run, text, note, attempt)
    else
      await attempt(async () => {
        for (const part of await partsOf(run, `${opening};\n${text}\n;${note};\ncommit;`))
          await run({ text: part, values: [] })
      })
  } catch (error) {
    throw failureOf(name, error, text.startsWith(inLots) ? 'what it has filled stays' : 'it has left nothing behind')
  }
}

type Attempt = <T>(work: () => Promise<T>) => Promise<T>

/** A transaction, again and again until nobody stands in its way and it stands in nobody's. */
async function trying<T>(run: Run, name: string, transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction()
    } catch (error) {
      await run(sql`rollback`).catch(() => {})
      if (!isInTheWay(error)) throw error
      if (tries === lockTries)
        throw new StartError(
          `The migration ${name} found a table that it needs in use at each of ${tries} tries, and has changed nothing. End the long transactions on it, or stop the servers, then start again.`,
        )
      await sleep(lockWaitMs)
    }
  }
}

/** It waited too long for a lock, others waited too long for it, or both. */
function isInTheWay(error: unknown): boolean {
  return ['55P03', '57014', '40P01'].includes((error as { code?: string }).code ?? '')
}

/** What it has made is removed where it fails: an index that could not be made is still there, invalid, and costs every write. */
async function applyOutside(run: Run, text: string, note: string): Promise<void> {
  const made: string[] = []
  try {
    await run(sql`set statement_timeout = 0`)
    for (const statement of [...text.split(/;\s*\n/).filter((part) => part.trim() !== ''), note]) {
      const [, index] = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(\w+)/i.exec(statement) ?? []
      if (index) made.push(index)
      await run({ text: statement, values: [] })
    }
  } catch (error) {
    if (!isAway(error))
      for (const index of made) await run({ text: `drop index concurrently if exists ${index}`, values: [] })
    throw error
  } finally {
    // A pooler keeps the connection for others.
    await run(sql`reset statement_timeout`).catch(() => {})
  }
}

/** What was filled before a failure stays, and is not filled again by the next run. */
async function applyInLots(run: Run, text: string, note: string, attempt: Attempt): Promise<void> {
  for (const org of await listOrganizationIds(run)) {
    const fillLot = async () => {
      for (const part of await partsOf(run, `${opening}; set local app.org_id = '${org}'`))
        await run({ text: part, values: [] })
      const filled = await run({ text, values: [] })
      await run(sql`commit`)
      return filled.length
    }
    while ((await attempt(fillLot)) > 0);
  }
  await run({ text: note, values: [] })
}

function failureOf(name: string, error: unknown, left: string): StartError {
  if (error instanceof StartError) return error
  const { message, detail } = error as { message: string; detail?: string }
  const why = [message, detail].filter(Boolean).join(' ').replaceAll('\n', ' ')
  return new StartError(
    isAway(error)
      ? `The connection was lost during the migration ${name} (${why}). Start again: it is applied whole, or is already.`
      : `The migration ${name} failed, ${left}: ${why}. Correct the cause, then run lading migrate again.`,
    { cause: error },
  )
}

/**
 * In one trip; on a cluster one statement after the other, each on one shard after the other, as it wants changes of tables that refer to each other. It
 * also sends all of the text in which something was `set local` to the other nodes, a lock that was taken in it included.
 */
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
    throw new StartError(
      'The schema has to be brought up to date by the coordinator of the cluster: lading migrate with its address in DATABASE_URL.',
    )
}

async function requireServer(run: Run): Promise<void> {
  const [server] = await run<{ number: number; version: string }>(
    sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  if (server && server.number < oldestServer)
    throw new StartError(`This is PostgreSQL ${server.version}; Lading needs 15 or newer.`)
}

/** Asked of a database that is to be used for the first time: another cannot be made anew at a start, so there it is the doctor who says it. */
async function requireLetters(run: Run): Promise<void> {
  const fault = await letterFault(run)
  if (fault) throw new StartError(fault)
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
