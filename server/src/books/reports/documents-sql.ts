import type { AsOf } from '../../platform/core/values/as-of.ts'
import type { OnAccount } from '../../platform/db/counts/on-account.ts'
import { momentAndDay } from '../../platform/db/sql/as-of.ts'
import { named, nothing, type Statement, sql } from '../../platform/db/sql/sql.ts'

/** What reports know of a kind of document. */
export type ReportedKind = {
  noun: string
  plural: string
  lines: string
  parentKey: string
  party: string
  date: string
  /** The column of a line that names what was moved, and the one of a document without such lines. */
  moved: string
  movedByAll: string | null
  /** The column of a line that names what it is for where it does not name what was moved. */
  otherwise?: string
  /** Credits are of one direction or the other. */
  direction?: 'out' | 'in'
}

/** What parties owe or are owed: their money on account goes with it. */
export type OwedKind = ReportedKind & { onAccount: OnAccount }

export const reportedBills: OwedKind = {
  noun: 'bill',
  plural: 'bills',
  lines: 'bill_items',
  parentKey: 'bill_id',
  party: 'partner_carrier_id',
  date: 'bill_date',
  moved: 'manifest_id',
  movedByAll: 'master_trip_id',
  onAccount: { party: 'partner_carrier_id', direction: 'out' },
}

export const reportedInvoices: OwedKind = {
  noun: 'invoice',
  plural: 'invoices',
  lines: 'invoice_items',
  parentKey: 'invoice_id',
  party: 'customer_id',
  date: 'invoice_date',
  moved: 'order_id',
  movedByAll: null,
  onAccount: { party: 'customer_id', direction: 'in' },
}

const reportedCredits = {
  noun: 'credit',
  plural: 'credits',
  lines: 'credit_items',
  parentKey: 'credit_id',
  date: 'credit_date',
  movedByAll: null,
}

/** What carriers credit us: it lowers what a manifest costs, or else an order. */
export const creditsOfCarriers: ReportedKind = {
  ...reportedCredits,
  party: 'partner_carrier_id',
  moved: 'manifest_id',
  otherwise: 'order_id',
  direction: 'out',
}

/** What we credit customers: it lowers what an order is charged, or else the orders of a manifest. */
export const creditsOfCustomers: ReportedKind = {
  ...reportedCredits,
  party: 'customer_id',
  moved: 'order_id',
  otherwise: 'manifest_id',
  direction: 'in',
}

/**
 * The organization itself, as `own`, one row: its home currency, its time zone, the moment that the report is of, and the day of that moment.
 */
export function ownOf(org: string, asOf: AsOf): Statement {
  const { moment, day } = momentAndDay(asOf, sql`o.time_zone`)
  return sql`own as materialized (
    select o.home_currency_id as home, c.minor_units as home_digits, ${moment} as moment, ${day} as day, o.time_zone
    from organizations o left join currencies c on c.id = o.home_currency_id where o.org_id = ${org})`
}

/** From when to when; a day is that of the organization. */
export type Span = { from: AsOf; to: AsOf }

/**
 * That this time is in the span. A day is also compared as a moment, with the distance that time zones have at most: an index knows moments alone.
 */
export function isWithin(time: Statement, { from, to }: Span): Statement {
  const day = sql`day_of(${time}, (select time_zone from own))`
  const after = (from: AsOf) => {
    if (from === null) return nothing
    if ('moment' in from) return sql`and ${time} >= ${from.moment}`
    return sql`and ${day} >= ${from.day}::date and ${time} >= (${from.day}::date - 1)::timestamp at time zone 'UTC'`
  }
  const before = (to: AsOf) => {
    if (to === null) return nothing
    if ('moment' in to) return sql`and ${time} <= ${to.moment}`
    return sql`and ${day} <= ${to.day}::date and ${time} < (${to.day}::date + 2)::timestamp at time zone 'UTC'`
  }
  return sql`${after(from)} ${before(to)}`
}

/**
 * The documents that count, those past draft and not voided, as rows of id, party_id, currency_id, date, due_date, sub_total_amount, total_amount, due,
 * exchange_rate, home_currency_id, home_total_amount, moved_id and changed. As they are now; or as they stood at the moment of `own`: those that have not changed since are read
 * from their table, the others from the last event up to then, and `changed` is its id.
 */
export function documentsAsOf(kind: ReportedKind, org: string, asOf: AsOf): Statement {
  return standingAsOf(kind, org, asOf, sql`b.status_id <> 'draft'`)
}

/** Those of them that may have something due: of what is paid, nothing is. */
export function openAsOf(kind: ReportedKind, org: string, asOf: AsOf): Statement {
  return standingAsOf(kind, org, asOf, sql`b.status_id in ('saved', 'sent', 'edited')`)
}

function standingAsOf(kind: ReportedKind, org: string, asOf: AsOf, status: Statement): Statement {
  const now = sql`${live(kind, org)} and ${status} and b.voided_at is null ${ofDirection(kind)}`
  if (asOf === null) return now
  return sql`${now} and b.updated_at <= (select moment from own) union all ${asRecorded(kind)} from ${lastEvents(kind, org)}
    join events e on e.org_id = ${org} and e.id = last.id where e.data ->> 'status_id' <> 'draft' and e.data ->> 'voided_at' is null`
}

/**
 * The lines of the same documents, as rows of what a document has there and of bill_item_type_id, place, moved_id, other_id and amount: one join, where reading lines apart
 * and joining them with their documents would be two over all of them. A document without lines has one of its own amount.
 */
export function linesAsOf({ lines, parentKey, moved, otherwise }: ReportedKind, org: string, asOf: AsOf): Statement {
  const ofDocument = sql`
    select d.id, d.party_id, d.currency_id, d.date, d.exchange_rate, d.home_currency_id, d.sub_total_amount, d.total_amount, d.home_total_amount,`
  const now = sql`
    ${ofDocument} i.bill_item_type_id, i.position as place, coalesce(i.${named(moved)}, d.moved_id) as moved_id,
      ${otherwise ? sql`case when i.${named(moved)} is null then i.${named(otherwise)} end` : sql`null::uuid`} as other_id, coalesce(i.total_amount::bigint, d.sub_total_amount) as amount
    from documents d left join ${named(lines)} i on i.${named(parentKey)} = d.id and i.org_id = ${org} ${asOf === null ? nothing : sql`where d.changed is null`}`
  if (asOf === null) return now
  return sql`${now} union all
    ${ofDocument} (i.line ->> 'bill_item_type_id')::uuid, (i.line ->> 'position')::integer, coalesce((i.line ->> '${named(moved)}')::uuid, d.moved_id),
      ${otherwise ? sql`case when i.line ->> '${named(moved)}' is null then (i.line ->> '${named(otherwise)}')::uuid end` : sql`null::uuid`}, coalesce((i.line ->> 'total_amount')::bigint, d.sub_total_amount)
    from documents d join events e on e.org_id = ${org} and e.id = d.changed
    left join lateral jsonb_array_elements(e.data -> '${named(lines)}') as i(line) on true where d.changed is not null`
}

/**
 * An amount of the document `d` in the home currency, by the rate that the document keeps; null where it keeps none, or one to another currency. A rate of more
 * than 10 decimals is the inverse of one, cut off: that one gives the exact amount, to 20 decimals, so that a half is one.
 */
export function inHome(amount: Statement): Statement {
  return sql`case when d.currency_id = own.home then ${amount}::numeric
    when d.home_currency_id = own.home then 10::numeric ^ (own.home_digits - digits.minor_units) * case
      when min_scale(d.exchange_rate) > 10 then ${amount} * 1.00000000000000000000 / round(1 / d.exchange_rate, 10) else ${amount} * d.exchange_rate end end`
}

/** What is due of the document `d` in the home currency, as documents are rounded: whole, each for itself. */
export const dueInHome: Statement = sql`case when d.currency_id = own.home then d.due else round(${inHome(sql`d.due`)})::bigint end`

/** What `inHome` needs besides the document. */
export const withHome: Statement = sql`cross join own left join currencies digits on digits.id = d.currency_id`

/**
 * A part of the document `d` in the home currency, where it keeps a rate to that: the whole as the document has it, or rounded once. So the parts of a
 * document, each being the difference of two of these, come to the whole.
 */
export function partInHome(amount: Statement): Statement {
  return sql`case when d.home_currency_id = own.home then
    case when ${amount} = d.total_amount then d.home_total_amount else round(${inHome(amount)}) end end`
}

function live({ plural, party, date, movedByAll }: ReportedKind, org: string): Statement {
  return sql`
    select b.id, b.${named(party)} as party_id, b.currency_id, b.${named(date)} as date, b.due_date,
      b.sub_total_amount::bigint as sub_total_amount, b.total_amount::bigint as total_amount,
      case when b.status_id = 'paid' then 0 else b.total_amount::bigint - coalesce(b.amount_paid, 0) end as due,
      b.exchange_rate, b.home_currency_id, b.home_total_amount,
      ${movedByAll ? sql`b.${named(movedByAll)}` : sql`null::uuid`} as moved_id, null::uuid as changed
    from ${named(plural)} b where b.org_id = ${org}`
}

/** From before payments were recorded, an event says nothing of what was due. */
function asRecorded({ party, date, movedByAll }: ReportedKind): Statement {
  return sql`
    select e.subject_id, (e.data ->> '${named(party)}')::uuid, e.data ->> 'currency_id',
      (e.data ->> '${named(date)}')::timestamptz, (e.data ->> 'due_date')::timestamptz,
      (e.data ->> 'sub_total_amount')::bigint, (e.data ->> 'total_amount')::bigint,
      coalesce((e.data ->> 'amount_due')::bigint,
        case when e.data ->> 'status_id' = 'paid' then 0 else (e.data ->> 'total_amount')::bigint end),
      (e.data ->> 'exchange_rate')::numeric, e.data ->> 'home_currency_id', (e.data ->> 'home_total_amount')::bigint,
      ${movedByAll ? sql`(e.data ->> '${named(movedByAll)}')::uuid` : sql`null::uuid`}, e.id`
}

/** Of each document that was there and has changed since: its last event up to that moment. */
function lastEvents(kind: ReportedKind, org: string): Statement {
  const { noun, plural } = kind
  return sql`(
    select distinct on (e.subject_id) e.id from ${named(plural)} b join events e on e.org_id = b.org_id and e.subject_type = '${named(noun)}' and e.subject_id = b.id
    where b.org_id = ${org} and b.created_at <= (select moment from own) and b.updated_at > (select moment from own) ${ofDirection(kind)}
      and e.org_id = ${org} and e.occurred_at <= (select moment from own)
    order by e.subject_id, e.revision desc, e.id desc) last`
}

/** A direction is for good, so it is that of the document at any moment. */
function ofDirection({ direction }: ReportedKind): Statement {
  return direction ? sql`and b.direction = ${direction}` : nothing
}
