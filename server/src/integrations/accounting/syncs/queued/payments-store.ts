import type { Context } from '../../../../platform/context.ts'
import { type Statement, sql } from '../../../../platform/db/sql/sql.ts'
import { idOfPayingAccount } from '../../mappings/kept/paying-accounts-sql.ts'
import { dayOf } from './documents-store.ts'
import { rowMayBeThere } from './records-store.ts'

/** What of a payment settles one document. `is_standing`: it has not been taken back. */
export type RawPart = {
  id: string
  amount: number
  is_standing: boolean
  type: 'bill' | 'invoice'
  number: string
  /** What the document is there; null where it is not there. */
  remote_id: string | null
}

/** A payment as it is here, with what it and its parts are there. Amounts are in the minor unit. */
export type RawPayment = {
  id: string
  number: string
  revision: number
  direction: 'out' | 'in'
  /** Whether it belongs in the books: it is issued and not voided. */
  counts: boolean
  /** Whether it was made there and brought here. */
  is_from_there: boolean
  currency_id: string
  date: string
  reference_number: string | null
  amount: number
  party: { id: string; name: string | null; remote_id: string | null } | null
  paying_account: { id: string; name: string; remote_id: string | null } | null
  parts: RawPart[]
}

const number = sql`'PAY-' || lpad(p.number::text, greatest(6, length(p.number::text)), '0')`
const counts = sql`(p.status in ('issued', 'cleared'))`

/** These payments, whole, in one query. */
export async function listPayments(ctx: Context, connection: string, ids: readonly string[]): Promise<RawPayment[]> {
  const mapped = (alias: Statement) => sql`${alias}.org_id = p.org_id and ${alias}.connection_id = ${connection}`
  const rows = await ctx.run<{ json: string }>(sql`
    select json_build_object('id', p.id, 'number', ${number}, 'revision', p.revision, 'direction', p.direction, 'counts', ${counts},
      'is_from_there', ${isFromThere(ctx.org, connection)}, 'currency_id', p.currency_id, 'date', ${dayOf(sql`p.paid_at`, ctx.org)},
      'reference_number', p.reference_number, 'amount', p.amount,
      'party', case when o.id is not null then json_build_object('id', o.id, 'name', o.name, 'remote_id', m.remote_id) end,
      'paying_account', case when y.currency_id is not null then json_build_object('id', ${idOfPayingAccount(sql`y`)}, 'name', y.name, 'remote_id', n.remote_id) end,
      'parts', (${partsOf(ctx.org, connection)}))::text as json
    from payments p
    left join objects o on o.org_id = p.org_id and o.id = coalesce(p.partner_carrier_id, p.customer_id)
    left join connection_mappings m on ${mapped(sql`m`)} and m.record_id = o.id
      and m.kind = case when p.partner_carrier_id is not null then 'partner_carriers' else 'customers' end
    left join paying_accounts y on y.org_id = p.org_id and y.currency_id = p.currency_id
    left join connection_mappings n on ${mapped(sql`n`)} and n.kind = 'paying_accounts' and n.record_id = ${idOfPayingAccount(sql`y`)}
    where p.org_id = ${ctx.org} and p.id = any(${ids}::uuid[])`)
  return rows.map(({ json }) => JSON.parse(json))
}

/** Credits that are paid back are not among them: credits are not sent. */
function partsOf(org: string, connection: string): Statement {
  return sql`select coalesce(json_agg(json_build_object('id', a.id, 'amount', a.amount, 'is_standing', a.ended_at is null,
      'type', case when a.bill_id is not null then 'bill' else 'invoice' end,
      'number', case when a.bill_id is not null then 'BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0')
        else 'INV-' || lpad(i.number::text, greatest(6, length(i.number::text)), '0') end, 'remote_id', r.remote_id) order by a.created_at, a.id), '[]')
    from allocations a
    left join bills b on b.org_id = a.org_id and b.id = a.bill_id
    left join invoices i on i.org_id = a.org_id and i.id = a.invoice_id
    left join connector_records r on r.org_id = a.org_id and r.connection_id = ${connection} and r.record_id = coalesce(a.bill_id, a.invoice_id)
      and r.record_type = case when a.bill_id is not null then 'bill' else 'invoice' end and r.state <> 'removed'
    where a.org_id = ${org} and a.payment_id = p.id and a.to_credit_id is null`
}

/** A payment that was brought here has a record that no request was made for. */
function isFromThere(org: string, connection: string): Statement {
  return sql`exists (select from connector_records f where f.org_id = ${org} and f.connection_id = ${connection} and f.record_type = 'payment'
    and f.record_id = p.id and f.request_id is null)`
}

export type WantedPayments = {
  /** Whether each allocation is a payment there. */
  isPerDocument: boolean
  /** Those for which an account is known. Others are taken out, and not sent. */
  directions: readonly ('out' | 'in')[]
  /** The documents that this run takes across: `select` of ids. */
  documents: Statement
  /** Only payments of these documents. */
  ids: readonly string[] | null
  limit: number
}

/** The documents that a run takes across. */
export function documentsOf({ org }: Context, sync: string): Statement {
  return sql`select w.record_id from connector_sync_results w where w.org_id = ${org} and w.sync_id = ${sync} and w.record_type in ('bill', 'invoice')`
}

export function theseDocuments(ids: readonly string[]): Statement {
  return sql`select unnest(${ids}::uuid[])`
}

/**
 * `from … where …` of the payments that a sync sends: those that settle something that is there or goes there now, and are not there yet as they are here.
 * Revisions are compared, because nothing but a change of the payment makes one.
 */
function toSend(
  org: string,
  connection: string,
  { isPerDocument, directions, documents, ids }: WantedPayments,
): Statement {
  const unit = isPerDocument ? sql`a.id` : sql`a.payment_id`
  const isOfThese = ids ? sql`and coalesce(a.bill_id, a.invoice_id) = any(${ids}::uuid[])` : sql``
  return sql`from payments p
    where p.org_id = ${org} and ${counts} and p.direction = any(${directions}::text[]) and not ${isFromThere(org, connection)} and exists (
      select from allocations a
      left join connector_records r on r.org_id = a.org_id and r.connection_id = ${connection} and r.record_type = 'payment' and r.record_id = ${unit}
      where a.org_id = ${org} and a.payment_id = p.id and a.to_credit_id is null ${isOfThese}
        and case when a.ended_at is null
          then (r.record_id is null or r.state in ('sending', 'refused') or r.revision is distinct from p.revision)
            and (coalesce(a.bill_id, a.invoice_id) in (${documents}) or exists (
              select from connector_records d where d.org_id = ${org} and d.connection_id = ${connection} and d.record_id = coalesce(a.bill_id, a.invoice_id)
                and d.record_type in ('bill', 'invoice') and d.state <> 'removed' and d.remote_id is not null))
          else ${rowMayBeThere} and r.revision is distinct from p.revision end)`
}

/** `from … where …` of those that are voided here and not there. They go first: a document that is paid cannot be taken out there. */
function toTakeOut(org: string, connection: string, { isPerDocument, ids }: WantedPayments): Statement {
  const unit = isPerDocument ? sql`a.id` : sql`a.payment_id`
  return sql`from payments p
    where p.org_id = ${org} and p.status = 'voided' and exists (
      select from allocations a
      join connector_records r on r.org_id = a.org_id and r.connection_id = ${connection} and r.record_type = 'payment' and r.record_id = ${unit}
      where a.org_id = ${org} and a.payment_id = p.id and ${rowMayBeThere} and r.request_id is not null
        ${ids ? sql`and coalesce(a.bill_id, a.invoice_id) = any(${ids}::uuid[])` : sql``})`
}

export async function listPaymentsToSend(ctx: Context, connection: string, wanted: WantedPayments): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select p.id ${toSend(ctx.org, connection, wanted)} order by p.id limit ${wanted.limit + 1}`,
  )
  return rows.map(({ id }) => id)
}

/** Makes a result for each payment that is sent or taken out, behind `place`. Answers how many. */
export async function insertPayments(
  ctx: Context,
  of: { sync: string; connection: string },
  wanted: WantedPayments,
  which: 'to send' | 'to take out',
  place: number,
): Promise<number> {
  const rowsOf = which === 'to send' ? toSend : toTakeOut
  const rows = await ctx.run(sql`
    insert into connector_sync_results as s (org_id, sync_id, place, record_type, record_id, number)
    select chosen.org_id, ${of.sync}::uuid, ${place}::int + row_number() over (order by chosen.id), 'payment', chosen.id, chosen.number
    from (select p.org_id, p.id, ${number} as number ${rowsOf(ctx.org, of.connection, wanted)} order by p.id limit ${wanted.limit}) as chosen
    returning s.place`)
  return rows.length
}

/** Whether any paying account is mapped. */
export async function hasPayingAccounts(ctx: Context, connection: string): Promise<boolean> {
  const rows = await ctx.run(sql`
    select from connection_mappings where org_id = ${ctx.org} and connection_id = ${connection} and kind = 'paying_accounts' limit 1`)
  return rows.length > 0
}
