import type { Readable, Writable } from 'node:stream'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { rowsOf } from '../db/sql/query.ts'
import type { Run } from '../db/sql/rows.ts'
import { sql } from '../db/sql/sql.ts'

export type Table = { name: string; columns: string[] }

/** Says how far the migrations have come; a restore brings an empty database there by itself. */
const ownTable = 'schema_migrations'

export function runOn(client: Client): Run {
  return (statement) => rowsOf(client, statement)
}

/** Each after those that it refers to. */
export async function listTables(run: Run): Promise<Table[]> {
  const tables = await run<Table & { refers_to: string[] }>(sql`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers_to
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> ${ownTable} order by c.relname`)
  const sorted: Table[] = []
  const waiting = new Map(tables.map((table) => [table.name, table]))
  while (waiting.size > 0) {
    const next = [...waiting.values()].filter(({ refers_to }) => refers_to.every((name) => !waiting.has(name)))
    if (next.length === 0)
      throw new Error(`these tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    for (const { name, columns } of next) {
      sorted.push({ name, columns })
      waiting.delete(name)
    }
  }
  return sorted
}

/** `columns`: those of a row, as SQL, where they are not those of the table in its order. */
export async function summarize(
  run: Run,
  { name }: Pick<Table, 'name'>,
  columns?: readonly string[],
): Promise<{ rows: number; hash: string }> {
  const row = columns ? `row(${columns.join(', ')})` : 't'
  const [summary] = await run<{ rows: string; hash: string }>({
    text: `select count(*)::text as rows, coalesce(sum(hashtextextended(${row}::text, 0)::numeric), 0)::text as hash from ${quoted(name)} t`,
    values: [],
  })
  return { rows: Number(summary?.rows), hash: summary?.hash ?? '' }
}

/** A column of a row of 0.1, as SQL. What is stored of the text of a document ended there with what could be done with it. */
export function columnBefore(table: string, column: string): string {
  if (column !== 'wire' || !['bills', 'invoices', 'credits'].includes(table)) return quoted(column)
  const isOnStatement = table === 'bills' ? 'consolidated_bill_id is not null' : 'false'
  return `wire || ',"available_actions":[' || case status_id
    when 'draft' then case when currency_id is null then '"delete"' else '"save","delete"' end
    when 'saved' then case when sent_at is not null or ${isOnStatement} then '"send","pay"' else '"send","pay","draft"' end
    when 'sent' then '"pay"' when 'edited' then '"send","pay"' else '"reopen"' end || ']'`
}

export async function listMigrations(run: Run): Promise<{ name: string; checksum: string }[]> {
  return run(sql`select name, checksum from schema_migrations order by name`)
}

export function copyOut(client: Client, table: Table): Readable {
  return client.query(copyTo(`copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout`))
}

export function copyIn(client: Client, table: Table): Writable {
  return client.query(copyFrom(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin`))
}

/** Rows of the migrations themselves, such as the currencies. */
export async function emptyTables(run: Run, tables: readonly Table[]): Promise<void> {
  await run({ text: `truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`, values: [] })
}

/** COPY refuses tables whose row-level security holds for whoever writes: the owner is exempt until it is forced again. */
export async function exemptOwner(run: Run): Promise<() => Promise<void>> {
  const forced = await run<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relforcerowsecurity`,
  )
  const alter = async (what: string) => {
    for (const { name } of forced) await run({ text: `alter table ${quoted(name)} ${what}`, values: [] })
  }
  await alter('no force row level security')
  return () => alter('force row level security')
}

/** Bills of 0.1 that were paid before there were payments. */
export async function countPaidWithoutPayment(run: Run): Promise<number> {
  const [row] = await run<{ bills: number }>(
    sql`select count(*)::int as bills from bills where status_id = 'paid' and unpaid_status_id is null`,
  )
  return row?.bills ?? 0
}

/** 0.1 called the streets of e-manifests `address1` and `address2`. A backslash stands before the quotes within a text of JSON, so only names are found. */
export async function renameStreets(run: Run): Promise<void> {
  await run(sql`
    update emanifests set shipments = replace(replace(shipments::text, '"address1":', '"address_1":'), '"address2":', '"address_2":')::jsonb`)
}

/** 0.1 called the currency of goods `currency`, and wrote it in capitals. */
export async function renameCurrencies(run: Run): Promise<void> {
  await run(sql`
    update emanifests set shipments = (
      select jsonb_agg(shipment || jsonb_build_object('commodities', (
        select coalesce(jsonb_agg(goods - 'currency' || jsonb_build_object('currency_id', lower(goods ->> 'currency')) order by place), '[]')
        from jsonb_array_elements(shipment -> 'commodities') with ordinality as g (goods, place))) order by place)
      from jsonb_array_elements(shipments) with ordinality as s (shipment, place))
    where shipments <> '[]'`)
}

/** Whether anybody has made an organization, a person or anything else that is not of the migrations. */
export async function isInUse(run: Run): Promise<boolean> {
  const [row] = await run<{ table: string | null }>(sql`select to_regclass('organizations')::text as table`)
  if (!row?.table) return false
  const [used] = await run<{ used: boolean }>(
    sql`select exists (select from organizations) or exists (select from people) as used`,
  )
  return used?.used === true
}

export async function insertBackup(
  run: Run,
  { made_at, path, rows, bytes }: { made_at: string; path: string; rows: number; bytes: number },
): Promise<void> {
  await run(
    sql`insert into backups (made_at, path, row_count, byte_count) values (${made_at}, ${path}, ${rows}, ${bytes})`,
  )
}

export async function findLast(run: Run): Promise<{ made_at: Date; path: string } | undefined> {
  const [last] = await run<{ made_at: Date; path: string }>(
    sql`select made_at, path from backups order by made_at desc limit 1`,
  )
  return last
}

/** After so much was written, the planner knows nothing of it. */
export async function analyze(run: Run): Promise<void> {
  await run(sql`analyze`)
}

function columnsOf({ columns }: Table): string {
  return columns.map(quoted).join(', ')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
