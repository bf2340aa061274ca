import type { Context } from '../../../../platform/context.ts'
import { type Statement, sql, when } from '../../../../platform/db/sql/sql.ts'
import { rowMayBeThere } from './records-store.ts'

/** A line with what it is mapped to. Amounts are in the minor unit. */
export type RawLine = {
  description: string | null
  quantity: number
  unit_price: number
  amount: number
  type: { id: string; name: string } | null
  account: string | null
  tax_rate: { id: string; name: string } | null
  tax_code: string | null
  tax: number
}

/** A bill or an invoice as it is here, with what it and its parts are there. */
export type RawDocument = {
  type: 'bill' | 'invoice'
  id: string
  number: string | null
  revision: number
  /** Whether it belongs in the books: it is no draft and not voided. */
  counts: boolean
  is_voided: boolean
  is_approved: boolean
  reference_number: string | null
  date: string | null
  due_date: string | null
  currency_id: string | null
  notes: string | null
  sub_total: number
  tax: number
  total: number
  party: { id: string; name: string | null; remote_id: string | null } | null
  pay_term: { id: string; name: string; remote_id: string | null } | null
  lines: RawLine[]
}

type Of = { id: string; connector_id: string }

const sources = {
  bill: {
    ...{
      documents: sql`bills`,
      items: sql`bill_items`,
      parent: sql`i.bill_id`,
      party: sql`d.partner_carrier_id`,
      date: sql`d.bill_date`,
    },
    ...{
      prefix: 'BILL-',
      kind: 'bill_items',
      partyKind: 'partner_carriers',
      approved: sql`d.approval_status in ('not_needed', 'approved')`,
    },
  },
  invoice: {
    ...{
      documents: sql`invoices`,
      items: sql`invoice_items`,
      parent: sql`i.invoice_id`,
      party: sql`d.customer_id`,
      date: sql`d.invoice_date`,
    },
    ...{ prefix: 'INV-', kind: 'invoice_items', partyKind: 'customers', approved: sql`true` },
  },
} as const

/** These documents, whole, in one query. */
export async function listDocuments(
  ctx: Context,
  connection: Of,
  type: RawDocument['type'],
  ids: readonly string[],
): Promise<RawDocument[]> {
  const { documents, party, date, prefix, partyKind, approved } = sources[type]
  const rows = await ctx.run<{ json: string }>(sql`
    select json_build_object('type', ${type}::text, 'id', d.id, 'number', ${numberText(prefix)}, 'revision', d.revision,
      'counts', d.status_id <> 'draft' and d.voided_at is null, 'is_voided', d.voided_at is not null, 'is_approved', ${approved}, 'reference_number', d.reference_number,
      'date', ${dayOf(date, ctx.org)}, 'due_date', ${dayOf(sql`d.due_date`, ctx.org)}, 'currency_id', d.currency_id, 'notes', d.notes,
      'sub_total', d.sub_total_amount, 'tax', d.tax_amount, 'total', d.total_amount,
      'party', case when ${party} is not null then json_build_object('id', ${party}, 'name', o.name, 'remote_id', p.remote_id) end,
      'pay_term', case when t.id is not null then json_build_object('id', t.id, 'name', t.name, 'remote_id', m.vendor_pay_term_id) end,
      'lines', (${linesOf(ctx.org, connection.id, type)}))::text as json
    from ${documents} d
    left join objects o on o.org_id = d.org_id and o.id = ${party}
    left join connection_mappings p on p.org_id = d.org_id and p.connection_id = ${connection.id} and p.kind = ${partyKind} and p.record_id = ${party}
    left join pay_terms t on t.org_id = d.org_id and t.id = d.pay_term_id
    left join pay_term_connector_mappings m on m.org_id = d.org_id and m.pay_term_id = d.pay_term_id and m.connector_id = ${connection.connector_id}
    where d.org_id = ${ctx.org} and d.id = any(${ids}::uuid[])`)
  return rows.map(({ json }) => JSON.parse(json))
}

/** The day of a date as the periods and the papers of the organization have it. */
export function dayOf(date: Statement, org: string): Statement {
  return sql`day_of(${date}, (select z.time_zone from organizations z where z.org_id = ${org}))`
}

function linesOf(org: string, connection: string, type: RawDocument['type']): Statement {
  const { items, parent, kind } = sources[type]
  return sql`select coalesce(json_agg(json_build_object('description', i.description, 'quantity', i.quantity, 'unit_price', i.unit_price, 'amount', i.total_amount,
      'type', case when y.id is not null then json_build_object('id', y.id, 'name', y.name) end, 'account', a.remote_id,
      'tax_rate', case when r.id is not null then json_build_object('id', r.id, 'name', r.name) end, 'tax_code', c.remote_id, 'tax', i.tax_amount) order by i.position), '[]')
    from ${items} i
    left join bill_item_types y on y.org_id = i.org_id and y.id = i.bill_item_type_id
    left join connection_mappings a on a.org_id = i.org_id and a.connection_id = ${connection} and a.kind = ${kind} and a.record_id = i.bill_item_type_id
    left join tax_rates r on r.org_id = i.org_id and r.id = i.tax_rate_id
    left join connection_mappings c on c.org_id = i.org_id and c.connection_id = ${connection} and c.kind = 'tax_rates' and c.record_id = i.tax_rate_id
    where i.org_id = ${org} and ${parent} = d.id`
}

function numberText(prefix: string): Statement {
  return sql`${prefix}::text || lpad(d.number::text, greatest(6, length(d.number::text)), '0')`
}

export type SyncSelection = { ids: readonly string[] | null; start_on: string | undefined; limit: number }

/**
 * `from … where …` of what a sync takes across: what has changed since it was sent, what was refused or whose answer was lost, and what is there and does
 * not count here any more. Documents that are named are taken as they are.
 */
function wantedRows(
  org: string,
  connection: string,
  type: RawDocument['type'],
  { ids, start_on }: SyncSelection,
): Statement {
  const { documents, date, approved } = sources[type]
  const counts = sql`(d.status_id <> 'draft' and d.voided_at is null)`
  const changed = sql`(${counts} and ${approved} and (r.record_id is null or r.state <> 'synced' or r.revision is distinct from d.revision)
    ${when(start_on, sql`and (${dayOf(date, org)} >= ${start_on}::date or r.remote_id is not null)`)})
    or (not ${counts} and ${rowMayBeThere})`
  return sql`from ${documents} d
    left join connector_records r on r.org_id = d.org_id and r.connection_id = ${connection} and r.record_type = ${type} and r.record_id = d.id
    where d.org_id = ${org} and ${ids ? sql`d.id = any(${ids}::uuid[])` : sql`(${changed})`}`
}

/** The ids of what a sync would take across, one more than the limit where there are more. */
export async function listWanted(
  ctx: Context,
  connection: string,
  type: RawDocument['type'],
  wanted: SyncSelection,
): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select d.id ${wantedRows(ctx.org, connection, type, wanted)} order by d.id limit ${wanted.limit + 1}`,
  )
  return rows.map(({ id }) => id)
}

/** Makes a result for each of what a sync takes across, behind `place`. Answers how many. */
export async function insertWanted(
  ctx: Context,
  sync: string,
  connection: string,
  type: RawDocument['type'],
  wanted: SyncSelection,
  place: number,
): Promise<number> {
  const rows = await ctx.run(sql`
    insert into connector_sync_results as s (org_id, sync_id, place, record_type, record_id, number)
    select chosen.org_id, ${sync}::uuid, ${place}::int + row_number() over (order by chosen.id), ${type}::text, chosen.id, chosen.number
    from (select d.org_id, d.id, ${numberText(sources[type].prefix)} as number ${wantedRows(ctx.org, connection, type, wanted)} order by d.id limit ${wanted.limit}) as chosen
    returning s.place`)
  return rows.length
}
