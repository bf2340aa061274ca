import type { Context } from '../../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import { keyTypesOf, type Order, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { type Statement, sql, when } from '../../../platform/db/sql/sql.ts'
import type { MappingKind } from '../catalogue.ts'
import type { MappingSearch } from './kept/model.ts'
import { idOfPayingAccount } from './kept/paying-accounts-sql.ts'

const byName: Order = {
  keys: [
    { value: sql`name_key`, type: 'text' },
    { value: sql`id`, type: 'id' },
  ],
  descending: false,
}

type Of = { id: string; connector_id: string }

/** The records of a kind with what they are there, by their names. */
export async function listMappings(ctx: Context, connection: Of, search: MappingSearch): Promise<string> {
  const page = pageOf('mappings', { ...search, connection: connection.id }, keyTypesOf(byName))
  const records = recordsOf(ctx.org, connection, search.kind)
  const filter = sql`true ${when(search.mapped === true, sql`and remote_id is not null`)} ${when(search.mapped === false, sql`and remote_id is null`)}
    ${when(search.search_term, sql`and position(lower(${search.search_term}) in name_key) > 0`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from (${records}) as counted where ${filter})`,
      json: jsonOf(search.kind),
      rows: sql`from (${records}) as listed where ${filter}`,
      order: byName,
      page,
    }),
  )
  return envelope('mappings', found ?? nothingFound, page)
}

/** Those of these records that are there, as they are mapped now. */
export async function listMapped(
  ctx: Context,
  connection: Of,
  kind: MappingKind,
  ids: readonly string[],
): Promise<{ id: string; json: string }[]> {
  return ctx.run(sql`
    select id, ${jsonOf(kind)} as json from (${recordsOf(ctx.org, connection, kind)}) as listed where id = any(${ids}::uuid[]) order by name_key, id`)
}

export type Row = { record_id: string; remote_id: string; remote_name: string | null }

export async function saveMappings(
  ctx: Context,
  connection: string,
  kind: MappingKind,
  rows: readonly Row[],
): Promise<void> {
  await ctx.run(sql`
    insert into connection_mappings as m (org_id, connection_id, kind, record_id, remote_id, remote_name)
    select own.org_id, ${connection}::uuid, ${kind}::text, n.record_id, n.remote_id, n.remote_name
    from organizations own cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n(record_id uuid, remote_id text, remote_name text)
    where own.org_id = ${ctx.org}
    on conflict (org_id, connection_id, kind, record_id) do update set remote_id = excluded.remote_id, remote_name = excluded.remote_name, updated_at = excluded.updated_at`)
}

export async function deleteMappings(
  ctx: Context,
  connection: string,
  kind: MappingKind,
  ids: readonly string[],
): Promise<void> {
  await ctx.run(sql`
    delete from connection_mappings where org_id = ${ctx.org} and connection_id = ${connection} and kind = ${kind} and record_id = any(${ids}::uuid[])`)
}

function jsonOf(kind: MappingKind): Statement {
  return sql`json_build_object('kind', ${kind}::text, 'record_id', id, 'record_name', name, 'remote_id', remote_id, 'remote_name', remote_name)::text`
}

/** `id`, `name`, `name_key` and what is mapped of every record of a kind. */
function recordsOf(org: string, { id, connector_id }: Of, kind: MappingKind): Statement {
  if (kind === 'pay_terms')
    return sql`select t.id, t.name, lower(t.name) as name_key, m.vendor_pay_term_id as remote_id, null::text as remote_name
      from pay_terms t left join pay_term_connector_mappings m on m.org_id = t.org_id and m.pay_term_id = t.id and m.connector_id = ${connector_id}
      where t.org_id = ${org}`
  const joinedBy = (record: Statement) =>
    sql`left join connection_mappings m on m.org_id = t.org_id and m.connection_id = ${id} and m.kind = ${kind} and m.record_id = ${record}`
  const columnsOf = (record: Statement, name: Statement) =>
    sql`select ${record} as id, ${name} as name, lower(${name}) as name_key, m.remote_id, m.remote_name`
  if (kind === 'paying_accounts') {
    const account = idOfPayingAccount(sql`t`)
    const name = sql`t.name || ' (' || upper(t.currency_id) || ')'`
    return sql`${columnsOf(account, name)} from paying_accounts t ${joinedBy(account)} where t.org_id = ${org}`
  }
  const columns = columnsOf(sql`t.id`, sql`t.name`)
  const joined = joinedBy(sql`t.id`)
  if (kind === 'tax_rates') return sql`${columns} from tax_rates t ${joined} where t.org_id = ${org}`
  if (kind === 'bill_items' || kind === 'invoice_items')
    return sql`${columns} from bill_item_types t ${joined} where t.org_id = ${org}`
  const objectKey = kind === 'customers' ? 'customer' : 'partner'
  return sql`${columns} from objects t ${joined} where t.org_id = ${org} and t.object_key = ${objectKey} and t.deleted_at is null`
}
