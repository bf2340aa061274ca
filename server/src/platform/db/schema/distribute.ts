import { StartError } from '../../core/start-error.ts'
import {
  isDistributed,
  listTables,
  nodeLetterFaults,
  nodeSettings,
  type Place,
  placeFor,
  placementFaults,
  type Table,
} from '../cluster/placement.ts'
import type { Pool } from '../pool/connect.ts'
import { rowsOf } from '../sql/query.ts'
import type { Run } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'

export type DistributionResult = { nodes: string[]; tables: number; rows: number }

const oldestCitus = 12

/**
 * Spreads the tables of an installation over the nodes of a cluster of Citus: all of it or nothing, in one transaction. What could stand in the way is
 * looked for first, and named all at once.
 */
export async function distribute(pool: Pool): Promise<DistributionResult> {
  const client = await pool.open()
  const run: Run = (statement) => rowsOf(client, statement)
  try {
    const obstacles = await findObstacles(run)
    if (obstacles.length > 0) throw new StartError(obstacles.join('\n'))
    const tables = await listTables(run)
    const rows = await inOneTransaction(run, () => moveTables(run, tables))
    await deleteLocalCopies(run, tables)
    const faults = await placementFaults(run)
    if (faults.length > 0) throw new Error(faults.join(' '))
    return { nodes: (await listNodes(run)).map(({ name }) => name), tables: tables.length, rows }
  } finally {
    await client.end()
  }
}

/** Why this database cannot be distributed as it is, in sentences that say what to do. */
export async function findObstacles(run: Run): Promise<string[]> {
  const [server] = await run<{ citus: string | null; superuser: boolean; version: string }>(sql`
    select (select extversion from pg_extension where extname = 'citus') as citus, rolsuper as superuser, current_setting('server_version_num') as version
    from pg_roles where rolname = current_user`)
  if (!server?.citus)
    return [
      'The extension citus is not in this database. On every node: shared_preload_libraries = citus, then create extension citus; then add the nodes.',
    ]
  if (Number.parseInt(server.citus, 10) < oldestCitus)
    return [`This is Citus ${server.citus}; Lading needs ${oldestCitus} or newer.`]
  if (await isDistributed(run)) return ['This database is distributed already.']
  return [
    ...(server.superuser
      ? []
      : ['The role of DATABASE_URL is no superuser. Distribute as one; the server itself needs none afterwards.']),
    ...(await nodeObstacles(run, `${server.version} ${server.citus}`)),
    ...(await tableObstacles(run)),
    ...(await serverObstacles(run)),
  ]
}

type Node = { name: string; active: boolean; synced: boolean; coordinator: boolean }

function listNodes(run: Run): Promise<Node[]> {
  return run<Node>(sql`
    select nodename || ':' || nodeport as name, isactive as active, hasmetadata and metadatasynced as synced, groupid = 0 as coordinator
    from pg_dist_node where noderole = 'primary' order by groupid, nodeport`)
}

async function nodeObstacles(run: Run, versions: string): Promise<string[]> {
  const nodes = await listNodes(run)
  if (!nodes.some(({ coordinator }) => coordinator))
    return ['The coordinator does not know its own address: select citus_set_coordinator_host(…) on it.']
  const [here] = await run<{ coordinator: boolean }>(sql`select citus_is_coordinator() as coordinator`)
  if (!here?.coordinator) return ['This node is not the coordinator. Name the coordinator in DATABASE_URL.']
  if (nodes.length === 1) return ['There is no node but the coordinator: select citus_add_node(…) for each.']
  const away = nodes.filter(({ active, synced }) => !active || !synced)
  if (away.length > 0)
    return away.map(({ name }) => `The node ${name} is not active, or does not have the metadata yet.`)
  const unhealthy = await run<{ name: string }>(sql`
    select distinct to_nodename || ':' || to_nodeport as name from citus_check_cluster_node_health() where result is distinct from true order by 1`)
  if (unhealthy.length > 0) return unhealthy.map(({ name }) => `The node ${name} cannot be reached by all others.`)
  const answers = await run<{ name: string; result: string }>(sql`
    select nodename || ':' || nodeport as name, result
    from run_command_on_workers($$select current_setting('server_version_num') || ' ' || extversion from pg_extension where extname = 'citus'$$)`)
  const others = answers.filter(({ result }) => result !== versions)
  if (others.length > 0)
    return others.map(
      ({ name, result }) => `The node ${name} has other versions (${result}) than the coordinator (${versions}).`,
    )
  return nodeLetterFaults(run)
}

async function tableObstacles(run: Run): Promise<string[]> {
  const tables = await listTables(run)
  if (tables.length === 0) return ['There is no schema yet: lading migrate makes it.']
  return tables
    .filter((table) => placeFor(table) === null)
    .map(
      ({ name }) => `${name} is no table of Lading's, so it is not known where it belongs. Move it to another schema.`,
    )
}

/** A server that was started before goes on as if there were one node. */
async function serverObstacles(run: Run): Promise<string[]> {
  const [serving] = await run<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'lading'`)
  return serving && serving.count > 0
    ? ['A server is connected to this database. Stop it first, and start it again afterwards.']
    : []
}

async function inOneTransaction<T>(run: Run, work: () => Promise<T>): Promise<T> {
  await run(sql`begin`)
  try {
    const result = await work()
    await run(sql`commit`)
    return result
  } catch (error) {
    await run(sql`rollback`).catch(() => {})
    throw error
  }
}

/** Returns how many rows there are. */
async function moveTables(run: Run, tables: readonly Table[]): Promise<number> {
  await run(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
  for (const { name } of tables) await run(text(`lock table ${name} in access exclusive mode`))
  const before = await countRows(run, tables)
  const keys = await dropForeignKeys(run)
  for (const place of ['reference', 'distributed', 'local'] as const)
    for (const { name } of organizationsFirst(tables.filter((table) => placeFor(table) === place)))
      await run(text(movesTo[place](name)))
  for (const { on, name, definition } of keys) await run(text(`alter table ${on} add constraint ${name} ${definition}`))
  await shareTheRest(run)
  const after = await countRows(run, tables)
  for (const [name, rows] of before)
    if (after.get(name) !== rows) throw new Error(`${name} had ${rows} rows, and ${after.get(name)} after it was moved`)
  return [...after.values()].reduce((sum, rows) => sum + rows, 0)
}

const movesTo: Record<Place, (name: string) => string> = {
  reference: (name) => `select create_reference_table('${name}')`,
  distributed: (name) =>
    `select create_distributed_table('${name}', 'org_id'${name === 'organizations' ? '' : ", colocate_with => 'organizations'"})`,
  local: (name) => `select citus_add_local_table_to_metadata('${name}')`,
}

/** The others are put where it is. */
function organizationsFirst(tables: readonly Table[]): Table[] {
  return tables.toSorted((one, other) => Number(other.name === 'organizations') - Number(one.name === 'organizations'))
}

async function countRows(run: Run, tables: readonly Table[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const [row] = await run<{ count: string }>(text(`select count(*)::text as count from ${name}`))
    counts.set(name, Number(row?.count))
  }
  return counts
}

type ForeignKey = { on: string; name: string; definition: string }

/** Tables that refer to each other cannot be moved one by one. */
async function dropForeignKeys(run: Run): Promise<ForeignKey[]> {
  const keys = await run<ForeignKey>(sql`
    select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`)
  for (const { on, name } of keys) await run(text(`alter table ${on} drop constraint ${name}`))
  return keys
}

/** What goes along with a table by itself is on all nodes by now. Rights to views, functions that no table needs, the role and the settings are not. */
async function shareTheRest(run: Run): Promise<void> {
  const statements = await run<{ text: string }>(sql`
    select format('grant select on %I to lading_app', relname) as text from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'v' and has_table_privilege('lading_app', oid, 'select')
        and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')
    union all select format('select create_distributed_function(%L)', f.oid::regprocedure) from pg_proc f
      where f.pronamespace = 'public'::regnamespace and f.prokind = 'f' and not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e')
    union all select format('alter database %I set %s = %L', current_database(), key, value) from json_each_text(${JSON.stringify(nodeSettings)}::json)
    -- A node connects to the others as the role that serves, which owns nothing.
    union all select 'alter role lading_app login'`)
  for (const statement of statements) await run(text(statement.text))
}

/** What was moved is still on the disk of the coordinator, where nobody sees it. */
async function deleteLocalCopies(run: Run, tables: readonly Table[]): Promise<void> {
  for (const table of tables)
    if (placeFor(table) !== 'local')
      await run(text(`select truncate_local_data_after_distributing_table('${table.name}')`))
}

function text(statement: string): { text: string; values: [] } {
  return { text: statement, values: [] }
}
