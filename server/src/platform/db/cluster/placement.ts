import { capitals, small } from '../sql/letters.ts'
import type { Run } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'
import { copiedTables, sharedTables, unspreadTables } from './tenancy.ts'

/** Where a table is on a cluster of Citus, by Citus's own names. */
export type Place = 'distributed' | 'reference' | 'local'

export type Table = { name: string; owned: boolean; place: Place | null }

/**
 * What the database must be set to on every node: the organization of a transaction is known on the others, and nothing is planned once for all values.
 * Citus 13.2 does not find such a plan again where the rows are on the same node: it makes another each time and keeps them all, some 70 kB each.
 */
export const nodeSettings: Record<string, string> = {
  'citus.propagate_set_commands': 'local',
  plan_cache_mode: 'force_custom_plan',
}

/** Whether this is a database of Citus whose tables are spread over its nodes. */
export async function isDistributed(run: Run): Promise<boolean> {
  const [known] = await run<{ citus: boolean }>(
    sql`select to_regclass('pg_catalog.pg_dist_partition') is not null as citus`,
  )
  if (!known?.citus) return false
  const [found] = await run(sql`select from pg_dist_partition where logicalrelid = to_regclass('organizations')`)
  return found !== undefined
}

/** Where the table belongs; null for one that is not known. */
export function placeFor({ name, owned }: Pick<Table, 'name' | 'owned'>): Place | null {
  if (owned) return name in unspreadTables ? 'local' : 'distributed'
  if (!(name in sharedTables)) return null
  return copiedTables.includes(name) ? 'reference' : 'local'
}

/** The tables of the schema, and where each is; nowhere in particular before they are distributed. */
export function listTables(run: Run): Promise<Table[]> {
  return run<Table>(sql`
    select c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and a.attnotnull and not a.attisdropped) as owned,
      case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference' when p.partmethod = 'n' then 'local' end as place
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_dist_shard s where c.relname = s.logicalrelid::regclass::text || '_' || s.shardid)
    order by c.relname`)
}

/** What of a distributed database is not where it belongs, in sentences. */
export async function placementFaults(run: Run): Promise<string[]> {
  if (!(await isDistributed(run))) return []
  const tables = await listTables(run)
  const misplaced = tables.flatMap((table) => {
    const wanted = placeFor(table)
    if (wanted === null) return [`${table.name} is no table of Lading's, and has no place on a cluster.`]
    return table.place === wanted
      ? []
      : [`${table.name} is ${table.place ?? 'on this node alone'}, and must be ${wanted}.`]
  })
  return [...misplaced, ...(await settingFaults(run)), ...(await nodeLetterFaults(run))]
}

type NodeAnswer = { node: string; there: boolean; result: string }

/** What each node says, the coordinator first. */
function askNodes(run: Run, asked: string): Promise<NodeAnswer[]> {
  return run<NodeAnswer>(sql`
    select n.nodename || ':' || n.nodeport as node, success as there, result
    from run_command_on_all_nodes(${asked}, give_warning_for_connection_errors => true) c join pg_dist_node n using (nodeid) order by n.groupid`)
}

/** A node that was added later does not have the settings of the database. */
async function settingFaults(run: Run): Promise<string[]> {
  const read = Object.keys(nodeSettings).map((name) => `current_setting('${name}', true)`)
  const answers = await askNodes(run, `select array_to_string(array[${read.join(', ')}], ' ')`)
  const wanted = Object.values(nodeSettings).join(' ')
  const remedy = Object.entries(nodeSettings).map(([name, value]) => `alter database … set ${name} = '${value}'`)
  return answers.flatMap(({ node, there, result }) => {
    if (!there) return [`The node ${node} is away: its organizations are answered 503 until it is back.`]
    return result === wanted ? [] : [`The node ${node} lacks settings of the database. On it: ${remedy.join('; ')}.`]
  })
}

/** Texts are compared where their rows are, so each node must know all letters, as the coordinator does. */
export async function nodeLetterFaults(run: Run): Promise<string[]> {
  const answers = await askNodes(run, `select current_setting('server_encoding') || ' ' || lower('${capitals}')`)
  return answers
    .filter(({ there, result }) => there && result !== `UTF8 ${small}`)
    .map(
      ({ node }) =>
        `The database of the node ${node} does not know all letters. Make it anew with the encoding and the locale that the coordinator has.`,
    )
}
