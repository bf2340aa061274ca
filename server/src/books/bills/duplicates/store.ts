import type { Context } from '../../../platform/context.ts'
import { collision } from '../../../platform/db/pool/away.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import type { Bill } from '../kind.ts'
import type { ComparedInvoice, DuplicatePolicy } from './model.ts'
import { carrierNumber } from './numbers.ts'

export type BillReference = Pick<Bill, 'id' | 'partner_carrier_id' | 'reference_number'>
/** Another bill with the same carrier and number. */
export type SameBill = { of: string; id: string; number: string | null }
export type DuplicateFinding = { policy: DuplicatePolicy; same: SameBill[] }

/** Of those that have the same carrier and number so many are named, the oldest first. */
const mostNamed = 10

/**
 * What the organization does about duplicates, and the other bills that have the carrier and the number of one of these. The first of each are chosen after
 * the join: asked for the first of each, PostgreSQL reads all bills in the order of their making until enough fit, and mostly none does.
 */
export async function findSame(ctx: Context, bills: readonly BillReference[]): Promise<DuplicateFinding> {
  const [row] = await ctx.run<DuplicateFinding>(sql`
    select o.duplicates as policy, case when o.duplicates = 'off' then '[]' else coalesce((
      select json_agg(json_build_object('of', s.asked_id, 'id', s.id, 'number', bill_number(s.number)) order by s.created_at, s.id)
      from (
        select asked.id as asked_id, b.id, b.number, b.created_at, row_number() over (partition by asked.id order by b.created_at, b.id) as place
        from unnest(${bills.map(({ id }) => id)}::uuid[], ${bills.map(({ partner_carrier_id }) => partner_carrier_id)}::uuid[],
          ${bills.map(({ reference_number }) => carrierNumber(reference_number as string))}::text[]) as asked(id, carrier, number)
        join bill_numbers n on n.org_id = ${ctx.org} and n.number = asked.number and n.partner_carrier_id = asked.carrier and n.bill_id <> asked.id
        join bills b on b.org_id = ${ctx.org} and b.id = n.bill_id and b.voided_at is null) s
      where s.place <= ${mostNamed}), '[]') end as same
    from organizations o where o.org_id = ${ctx.org}`)
  return row ?? { policy: 'off', same: [] }
}

/** Keeps the numbers that these bills have now, and none of those that have none. */
export async function saveNumbers(
  ctx: Context,
  numbered: readonly BillReference[],
  without: readonly string[],
): Promise<void> {
  if (without.length > 0)
    await ctx.run(sql`delete from bill_numbers where org_id = ${ctx.org} and bill_id = ${oneOf(without)}`)
  if (numbered.length === 0) return
  await ctx.run(sql`
    insert into bill_numbers (org_id, bill_id, partner_carrier_id, number) select own.org_id, n.id, n.carrier, n.number
    from organizations own cross join unnest(${numbered.map(({ id }) => id)}::uuid[], ${numbered.map(({ partner_carrier_id }) => partner_carrier_id)}::uuid[],
      ${numbered.map(({ reference_number }) => carrierNumber(reference_number as string))}::text[]) as n(id, carrier, number)
    where own.org_id = ${ctx.org} order by n.id
    on conflict (org_id, bill_id) do update set partner_carrier_id = excluded.partner_carrier_id, number = excluded.number`)
}

/** Makes these bills the only ones with their carriers and numbers; the others of `all` hold theirs no longer. */
export async function saveHeld(ctx: Context, all: readonly string[], held: readonly string[]): Promise<void> {
  await ctx
    .run(
      sql`update bills set held_number = case when id = any(${held}::uuid[]) then partner_carrier_id::text || ' ' || carrier_number(reference_number) end
        where org_id = ${ctx.org} and id = ${oneOf(all)}`,
    )
    .catch((error) => {
      // The next attempt finds the bill that was entered at the same time.
      throw violatedConstraint(error) === 'bills_held_number'
        ? collision('another bill has got the same carrier and number meanwhile')
        : error
    })
}

export type Candidate = ComparedInvoice & { bill_id: string; number: string | null; status_id: Bill['status_id'] }

/** As many candidates of each sort are compared at most. */
const mostOfSort = 200

/** The bill, and those that could be the same: by number, by manifest, and by carrier with about the same amount. One round trip. */
export async function listCandidates(ctx: Context, id: string): Promise<Candidate[]> {
  const { org } = ctx
  const [row] = await ctx.run<{ list: Candidate[] }>(sql`
    with own as materialized (
      select b.id, b.partner_carrier_id, b.reference_number, b.total_amount, b.bill_date, b.master_trip_id from bills b where b.org_id = ${org} and b.id = ${id}),
    paid as materialized (
      select master_trip_id as id from own where master_trip_id is not null
      union select i.manifest_id from bill_items i where i.org_id = ${org} and i.bill_id = ${id} and i.manifest_id is not null
      union select i.manifest_payment_item_id from bill_items i where i.org_id = ${org} and i.bill_id = ${id} and i.manifest_payment_item_id is not null),
    found as (
      select id from own
      union (select b.id from own cross join lateral (
        select b.id from bill_numbers n join bills b on b.org_id = ${org} and b.id = n.bill_id and b.voided_at is null
        where n.org_id = ${org} and n.number = carrier_number(own.reference_number) limit ${mostOfSort}) b)
      union (select b.id from own cross join lateral (select b.id from bills b where b.org_id = ${org} and b.partner_carrier_id = own.partner_carrier_id and b.voided_at is null
        and b.total_amount between least(own.total_amount * 0.98, own.total_amount * 1.02)::bigint and greatest(own.total_amount * 0.98, own.total_amount * 1.02)::bigint
        order by abs(extract(epoch from b.bill_date - own.bill_date)) nulls last limit ${mostOfSort}) b)
      union (select b.id from bills b where b.org_id = ${org} and b.master_trip_id in (select id from paid) limit ${mostOfSort})
      union (select i.bill_id from bill_items i where i.org_id = ${org} and i.manifest_id in (select id from paid) limit ${mostOfSort})
      union (select i.bill_id from bill_items i where i.org_id = ${org} and i.manifest_payment_item_id in (select id from paid) limit ${mostOfSort}))
    select coalesce(json_agg(json_build_object('bill_id', b.id, 'number', bill_number(b.number), 'status_id', b.status_id, 'reference_number', b.reference_number,
      'partner_carrier_id', b.partner_carrier_id, 'currency_id', b.currency_id, 'total_amount', b.total_amount, 'bill_date', wire_time(b.bill_date),
      'manifest_ids', (select coalesce(json_agg(distinct m.id), '[]') from (
        select b.master_trip_id as id where b.master_trip_id is not null
        union all select i.manifest_id from bill_items i where i.org_id = ${org} and i.bill_id = b.id and i.manifest_id is not null
        union all select i.manifest_payment_item_id from bill_items i where i.org_id = ${org} and i.bill_id = b.id and i.manifest_payment_item_id is not null) m))), '[]') as list
    from found join bills b on b.org_id = ${org} and b.id = found.id and (b.voided_at is null or b.id = ${id})`)
  return row?.list ?? []
}
