/** Databases for tests: on one PostgreSQL, or on all nodes of a cluster of Citus. */
import { connect, type Pool } from '../src/platform/db/pool/connect.ts'
import { distribute } from '../src/platform/db/schema/distribute.ts'
import { migrate } from '../src/platform/db/schema/migrate.ts'
import type { Run } from '../src/platform/db/sql/rows.ts'
import { sql } from '../src/platform/db/sql/sql.ts'

/** The same address with another database in it, and another host where one is given. */
export function addressWith(url: string, database: string, host?: string): string {
  return url.replace(
    /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(?:\/[^?]*)?(.*)$/,
    (_, before, hosts, after) => `${before}${host ?? hosts}/${database}${after}`,
  )
}

/** Makes a database with the schema in it; on a cluster, on each of its nodes, and distributed. Gives back the way to drop it. */
export async function makeDatabase(url: string, name: string): Promise<() => Promise<void>> {
  const nodes = await nodesOf(url)
  const each = nodes.length > 0 ? nodes : [undefined]
  for (const host of each)
    await on(addressWith(url, databaseIn(url), host), (run) => run(text(`create database ${name}`)))
  for (const host of nodes) await on(addressWith(url, name, host), (run) => run(text('create extension citus')))
  const [coordinator, ...workers] = nodes
  if (coordinator) {
    await on(addressWith(url, name, coordinator), async (run) => {
      await run(text(`select citus_set_coordinator_host(${placeOf(coordinator)})`))
      for (const worker of workers) await run(text(`select citus_add_node(${placeOf(worker)})`))
    })
  }
  const pool = connect(addressWith(url, name, coordinator), { max: 1 })
  await migrate(pool)
  if (coordinator) await distribute(pool)
  await pool.end()
  return async () => {
    // The others keep connections to a node for a while.
    for (const host of each)
      await on(addressWith(url, databaseIn(url), host), (run) => run(text(`drop database ${name} with (force)`)))
  }
}

/** The nodes as `host:port`, the coordinator first; none where it is no cluster. */
export async function nodesOf(url: string): Promise<string[]> {
  return on(url, async (run) => {
    const [found] = await run<{ nodes: string | null }>(
      text(`select to_regclass('pg_catalog.pg_dist_node')::text as nodes`),
    )
    if (!found?.nodes) return []
    const rows = await run<{ node: string }>(
      text(`select nodename || ':' || nodeport as node from pg_dist_node where noderole = 'primary' order by groupid`),
    )
    return rows.map(({ node }) => node)
  })
}

/** Which connections of this name wait for the locks of others, on whatever node these are; as `pg_cancel_backend` takes them. */
export async function listWaiting(pool: Pool, name: string): Promise<string[]> {
  const here = sql`
    select pid::text as id from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock' and pg_blocking_pids(pid) <> '{}'`
  const anywhere = sql`
    select distinct w.waiting_gpid::text as id from citus_lock_waits w join citus_dist_stat_activity a on a.global_pid = w.waiting_gpid
    where a.application_name = ${name}`
  const rows = await pool.run<{ id: string }>((await pool.distributed()) ? anywhere : here)
  return rows.map(({ id }) => id)
}

async function on<T>(url: string, work: (run: Run) => Promise<T>): Promise<T> {
  const pool = connect(url, { max: 1 })
  try {
    return await work(pool.run)
  } finally {
    await pool.end()
  }
}

function databaseIn(url: string): string {
  return /^postgres(?:ql)?:\/\/[^/]*\/([^?]*)/.exec(url)?.[1] || 'postgres'
}

function placeOf(node: string): string {
  const [host, port] = node.split(':')
  return `'${host}', ${port}`
}

function text(statement: string): { text: string; values: [] } {
  return { text: statement, values: [] }
}
