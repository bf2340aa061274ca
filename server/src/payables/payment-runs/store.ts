import { type Context, together } from '../../platform/context.ts'
import { conflict, quote } from '../../platform/core/refusal.ts'
import { numbersIn } from '../../platform/core/schema/numbers.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { takeNumber } from '../../platform/db/counts/counters.ts'
import { collision } from '../../platform/db/pool/away.ts'
import { isAskedFor } from '../../platform/db/sql/asked-for.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, type Order, pageStatement } from '../../platform/db/sql/keyset.ts'
import { type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import type { Destination } from '../payees/recorded/destinations.ts'
import { setOffsOf } from './files/set-offs-sql.ts'
import { type LeftOutBills, mostBills, type PaymentRun, type PaymentRunSearch } from './model.ts'
import type { Item } from './rules.ts'

export async function listRuns(ctx: Context, search: PaymentRunSearch): Promise<string> {
  const { status_ids: statuses, currency_ids, number } = search
  const page = pageOf('payment_runs', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'payment_runs', search)} ${when(statuses, sql`and status = any(${statuses}::text[])`)}
    ${when(number, sql`and id in (select r.id from payment_runs r where r.org_id = ${ctx.org} and r.number = any(${numbersIn(number, 'RUN')}::int[]))`)}
    ${when(currency_ids, sql`and currency_id = any(${currency_ids?.map((id) => id.toLowerCase())}::text[])`)}`
  const total = sql`(select count(*)::int from payment_runs where ${filter})`
  const rows = sql`from payment_runs_wire where ${filter}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({ total, json: withSums(ctx.org), rows, order: newestFirst, page }),
  )
  return envelope('payment_runs', found ?? nothingFound, page)
}

export async function findRun(ctx: Context, reference: Reference): Promise<(WireRecord & { id: string }) | undefined> {
  const which = isAskedFor(reference, 'payment_runs_wire', { table: 'payment_runs', org: ctx.org })
  const [row] = await ctx.run<WireRecord & { id: string }>(
    sql`select id, revision, ${withSums(ctx.org)} as json from payment_runs_wire where org_id = ${ctx.org} and ${which}`,
  )
  return row
}

/** The JSON of a run, with what its payments and bills come to. */
function withSums(org: string): Statement {
  const payments = sql`
    select json_build_object('payment_count', count(*), 'returned_count', count(*) filter (where p.returned_at is not null), 'total_amount', coalesce(sum(m.amount), 0)::bigint)::text
    from payment_run_payments p join payments m on m.org_id = p.org_id and m.id = p.payment_id where p.org_id = ${org} and p.run_id = payment_runs_wire.id`
  const items = sql`
    select json_build_object('bill_count', count(*), 'discount_amount', coalesce(sum(i.discount_amount), 0)::bigint,
      'set_off_amount', coalesce(sum(i.set_off_amount), 0)::bigint)::text
    from payment_run_items i where i.org_id = ${org} and i.run_id = payment_runs_wire.id`
  return sql`open_json || ',' || btrim((${payments}), '{}') || ',' || substr((${items}), 2)`
}

/** The first lock of all that a run takes: before payees, statements, documents, credits and payments. */
export async function lockRun(ctx: Context, id: string): Promise<PaymentRun | undefined> {
  const locked = await ctx.run(sql`select id from payment_runs where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findRun(ctx, { by: 'id', id }) : undefined
  return found && JSON.parse(found.json)
}

export type DueBill = {
  bill_id: string
  partner_carrier_id: string
  discount_days: number | null
  discount_percent: string | null
}
type Wanted = { until: string; currency_id: string; partner_carrier_ids: readonly string[] | null }

/** What is due, approved and in no run, longest due first: as many as a run has, and one more. The terms of each bill come with it. */
export function listDue(ctx: Context, wanted: Wanted): Promise<DueBill[]> {
  return ctx.run<DueBill>(sql`
    select b.id as bill_id, b.partner_carrier_id, t.discount_days, t.discount_percent::text as discount_percent
    from bills b left join pay_terms t on t.org_id = b.org_id and t.id = b.pay_term_id
    where ${isDue(ctx, wanted)} and b.approval_status in ('not_needed', 'approved')
    order by coalesce(b.due_date, b.bill_date, b.created_at), b.id limit ${mostBills + 1}`)
}

/** How many bills of each carrier are due, and not approved. */
export function listNotApproved(
  ctx: Context,
  wanted: Wanted,
): Promise<{ partner_carrier_id: string; bill_count: number }[]> {
  return ctx.run(sql`
    select b.partner_carrier_id, count(*)::int as bill_count from bills b
    where ${isDue(ctx, wanted)} and b.approval_status in ('pending', 'rejected')
    group by b.partner_carrier_id order by b.partner_carrier_id limit ${mostBills}`)
}

/** A bill without a due date is due at once: on its own date. Days are those of the organization. */
function dueDay(org: string): Statement {
  return sql`day_of(coalesce(b.due_date, b.bill_date, b.created_at), (select z.time_zone from organizations z where z.org_id = ${org}))`
}

function isDue(ctx: Context, wanted: Wanted): Statement {
  // The first condition is answered by an index.
  return sql`${isOpen(ctx, wanted)} and (b.due_date < (${wanted.until}::date + 2)::timestamp at time zone 'UTC' or b.due_date is null)
    and ${dueDay(ctx.org)} <= ${wanted.until}::date and b.partner_carrier_id is not null and not ${isInRun(ctx.org)}`
}

function isOpen({ org }: Context, { currency_id, partner_carrier_ids }: Wanted): Statement {
  return sql`b.org_id = ${org} and b.status_id in ('saved', 'sent', 'edited') and b.voided_at is null and b.currency_id = ${currency_id}
    and b.total_amount <> coalesce(b.amount_paid, 0) ${when(partner_carrier_ids, sql`and b.partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)}`
}

function isInRun(org: string): Statement {
  return sql`exists (select from payment_run_items i where i.org_id = ${org} and i.bill_id = b.id and i.state in ('planned', 'paid'))`
}

/** Open bills that no run would choose until that day: how many are due later and when the first is, are in a run, and name no carrier. */
export type BillsNotChosen = { later: number; first_due: string | null; in_runs: number; without_carrier: number }

export async function findNotChosen(ctx: Context, wanted: Wanted): Promise<BillsNotChosen> {
  const [row] = await ctx.run<BillsNotChosen>(sql`
    select count(*) filter (where f.is_later)::int as later, (min(f.due_day) filter (where f.is_later))::text as first_due,
      count(*) filter (where f.is_in_run)::int as in_runs, count(*) filter (where f.without_carrier)::int as without_carrier
    from (
      select ${dueDay(ctx.org)} as due_day, ${dueDay(ctx.org)} > ${wanted.until}::date as is_later, ${isInRun(ctx.org)} as is_in_run,
        b.partner_carrier_id is null and ${dueDay(ctx.org)} <= ${wanted.until}::date as without_carrier
      from bills b where ${isOpen(ctx, wanted)}) f`)
  return row as BillsNotChosen
}

/** What these carriers are called. */
export async function listCarrierNames(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.run<{ id: string; name: string }>(
    sql`select id, name from objects where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Which of these bills, whose locks the caller holds, are in a run. */
export async function listTaken(ctx: Context, bills: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.run<{ bill_id: string }>(
    sql`select bill_id from payment_run_items where org_id = ${ctx.org} and bill_id = any(${bills}::uuid[]) and state in ('planned', 'paid')`,
  )
  return new Set(rows.map(({ bill_id }) => bill_id))
}

/** The days of the dates of these bills, whose locks the caller holds, in the time zone of the organization; a bill without a date is missing. */
export async function listDays(ctx: Context, bills: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.run<{ id: string; day: string }>(sql`
    select b.id, day_of(b.bill_date, o.time_zone)::text as day from bills b join organizations o on o.org_id = b.org_id
    where b.org_id = ${ctx.org} and b.id = any(${bills}::uuid[]) and b.bill_date is not null`)
  return new Map(rows.map(({ id, day }) => [id, day]))
}

/** Today in the time zone of the organization. */
export async function findToday(ctx: Context): Promise<string> {
  const [row] = await ctx.run<{ today: string }>(
    sql`select (statement_timestamp() at time zone time_zone)::date::text as today from organizations where org_id = ${ctx.org}`,
  )
  return row?.today as string
}

export type NewRun = Pick<PaymentRun, 'id' | 'due_until' | 'pay_on' | 'currency_id' | 'created_by' | 'has_more'> & {
  external_id: string | null
  partner_carrier_ids: readonly string[] | null
  set_off_credits: boolean
  left_out: readonly LeftOutBills[]
}

export async function insertRun(ctx: Context, run: NewRun): Promise<void> {
  const number = await takeNumber(ctx, 'payment_run')
  await ctx
    .run(sql`
      insert into payment_runs (org_id, id, number, external_id, currency_id, due_until, pay_on, partner_carrier_ids, set_off_credits, left_out, has_more, created_by)
      values (${ctx.org}, ${run.id}, ${number}, ${run.external_id}, ${run.currency_id}, ${run.due_until}, ${run.pay_on}, ${run.partner_carrier_ids}::uuid[],
        ${run.set_off_credits}, ${JSON.stringify(run.left_out)}::text::jsonb, ${run.has_more}, ${run.created_by})`)
    .catch((error) => {
      if (violatedConstraint(error) !== 'payment_run_external_id') throw error
      throw conflict(
        'external_id_taken',
        `Another payment run has the external_id ${quote(run.external_id)} already.`,
        [{ field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' }],
      )
    })
}

/** The payments of a run, whose drafts are there, and the bills of each. */
export async function insertParts(
  ctx: Context,
  run: string,
  payments: readonly { id: string; payee_id: string }[],
  items: readonly Item[],
): Promise<void> {
  await together(
    ctx.run(sql`
      insert into payment_run_payments (org_id, run_id, payment_id, payee_id) select own.org_id, ${run}::uuid, n.id, n.payee_id
      from organizations own cross join jsonb_to_recordset(${JSON.stringify(payments)}::text::jsonb) as n(id uuid, payee_id uuid) where own.org_id = ${ctx.org}`),
    ctx.run(sql`
      insert into payment_run_items (org_id, run_id, bill_id, payment_id, amount, discount_amount, set_off_amount)
      select own.org_id, ${run}::uuid, n.bill_id, n.payment_id, n.amount, n.discount_amount, n.set_off_amount
      from organizations own cross join jsonb_to_recordset(${JSON.stringify(items)}::text::jsonb)
        as n(bill_id uuid, payment_id uuid, amount bigint, discount_amount bigint, set_off_amount bigint) where own.org_id = ${ctx.org}`),
  ).catch((error) => {
    throw violatedConstraint(error) === 'payment_run_bill_is_in_one_run'
      ? collision('a bill was put in another payment run meanwhile')
      : error
  })
}

/** The bills of a run, which the caller has locked, in the order of their ids. */
export async function listItems(ctx: Context, run: string): Promise<Item[]> {
  const rows = await ctx.run<Item>(
    sql`select bill_id, payment_id, amount, discount_amount, set_off_amount from payment_run_items where org_id = ${ctx.org} and run_id = ${run} order by bill_id`,
  )
  return rows.map(({ amount, discount_amount, set_off_amount, ...row }) => ({
    ...{
      ...row,
      amount: Number(amount),
      discount_amount: Number(discount_amount),
      set_off_amount: Number(set_off_amount),
    },
  }))
}

/** What is paid and set off of these bills from now on. */
export async function saveItems(ctx: Context, run: string, items: readonly Item[]): Promise<void> {
  const rows = JSON.stringify(
    items.map(({ bill_id, amount, set_off_amount }) => ({ bill: bill_id, paid: amount, covered: set_off_amount })),
  )
  await ctx.run(sql`
    update payment_run_items i set amount = n.paid, set_off_amount = n.covered
    from (select * from jsonb_to_recordset(${rows}::text::jsonb) as r(bill uuid, paid bigint, covered bigint)) n
    where i.org_id = ${ctx.org} and i.run_id = ${run} and i.bill_id = n.bill`)
}

export async function deleteItem(ctx: Context, run: string, bill: string): Promise<void> {
  await ctx.run(sql`delete from payment_run_items where org_id = ${ctx.org} and run_id = ${run} and bill_id = ${bill}`)
}

export async function deleteRunPayments(ctx: Context, payments: readonly string[]): Promise<void> {
  await ctx.run(
    sql`delete from payment_run_payments where org_id = ${ctx.org} and payment_id = any(${payments}::uuid[])`,
  )
}

export async function deleteAll(ctx: Context, run: string): Promise<void> {
  await together(
    ctx.run(sql`delete from payment_run_items where org_id = ${ctx.org} and run_id = ${run}`),
    ctx.run(sql`delete from payment_run_payments where org_id = ${ctx.org} and run_id = ${run}`),
  )
}

export async function deleteRun(ctx: Context, run: string): Promise<void> {
  await ctx.run(sql`delete from payment_runs where org_id = ${ctx.org} and id = ${run}`)
}

const nextRevision = sql`revision = revision + 1, updated_at = statement_timestamp()`

export async function saveApproval(
  ctx: Context,
  run: string,
  { by, byTheOnlyUser }: { by: string; byTheOnlyUser: boolean },
): Promise<void> {
  await ctx.run(sql`
    update payment_runs set status = 'approved', approved_by = ${by}, approved_at = statement_timestamp(), by_the_only_user = ${byTheOnlyUser}, ${nextRevision}
    where org_id = ${ctx.org} and id = ${run}`)
}

/** What was approved has changed: it is a draft again. */
export async function saveDraft(ctx: Context, runs: readonly string[]): Promise<void> {
  await ctx.run(sql`
    update payment_runs set status = 'draft', approved_by = null, approved_at = null, by_the_only_user = false, ${nextRevision}
    where org_id = ${ctx.org} and id = any(${runs}::uuid[])`)
}

export type RunPaymentRow = {
  payment_id: string
  run_id: string
  payee_id: string
  partner_carrier_id: string
  method: string
  amount: number
  credit_id: string | null
}

/** The payments of a run, which the caller has locked. */
export async function listRunPayments(ctx: Context, run: string): Promise<RunPaymentRow[]> {
  const rows = await ctx.run<RunPaymentRow>(sql`
    select p.payment_id, p.run_id, p.payee_id, m.partner_carrier_id, m.method, m.amount, p.credit_id
    from payment_run_payments p join payments m on m.org_id = p.org_id and m.id = p.payment_id where p.org_id = ${ctx.org} and p.run_id = ${run} order by p.payment_id`)
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
}

/** Where the drafts of runs go from now on. */
export async function saveDestinations(
  ctx: Context,
  payments: readonly { payment_id: string; payee_id: string }[],
): Promise<void> {
  await ctx.run(sql`
    update payment_run_payments p set payee_id = n.destination
    from (select * from jsonb_to_recordset(${JSON.stringify(payments.map(({ payment_id, payee_id }) => ({ draft: payment_id, destination: payee_id })))}::text::jsonb)
      as r(draft uuid, destination uuid)) n
    where p.org_id = ${ctx.org} and p.payment_id = n.draft`)
}

type Snapshot = {
  payment_id: string
  credit_id: string | null
  destination: Destination
  references: readonly (string | null)[]
}
export type AccountSnapshot = { name: string; company_id: string | null; ach_file: string; sealed: string } | null

/** The run is issued: where each payment went, how and for what stays as it is now, whatever becomes of the payees and the bills. */
export async function saveIssued(
  ctx: Context,
  run: string,
  by: string,
  account: AccountSnapshot,
  payments: readonly Snapshot[],
): Promise<void> {
  const rows = payments.map(
    ({
      payment_id,
      credit_id,
      destination: { name, method, sealed, masked, address, remittance_email },
      references,
    }) => ({
      ...{
        draft: payment_id,
        credit: credit_id,
        payee: name,
        way: method,
        kept: sealed,
        shown: masked,
        place: address,
        email: remittance_email,
        named: references,
      },
    }),
  )
  await together(
    ctx.run(sql`
      update payment_run_payments p set payee_name = n.payee, bank_details_sealed = n.kept, bank_details_masked = n.shown, address = n.place,
        remittance_email = n.email, credit_id = n.credit, method = n.way, bill_references = n.named
      from (select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as r(draft uuid, credit uuid, payee text, way text, kept text, shown jsonb, place jsonb, email text, named jsonb)) n
      where p.org_id = ${ctx.org} and p.payment_id = n.draft`),
    ctx.run(sql`update payment_run_items set state = 'paid' where org_id = ${ctx.org} and run_id = ${run}`),
    ctx.run(sql`update payment_run_set_offs set state = 'applied' where org_id = ${ctx.org} and run_id = ${run}`),
    ctx.run(sql`
      update payment_runs set status = 'issued', issued_by = ${by}, issued_at = statement_timestamp(), account_name = ${account?.name ?? null},
        company_id = ${account?.company_id ?? null}, ach_file = ${account?.ach_file ?? null}, bank_details_sealed = ${account?.sealed ?? null}, ${nextRevision}
      where org_id = ${ctx.org} and id = ${run}`),
  )
}

type Returnable = { run_id: string; credit_id: string | null; returned_at: string | null }

/** A payment of a run with its run locked, as it is under that lock: of returns that are asked for at the same time one finds that it has not come back. */
export async function lockRunPayment(ctx: Context, payment: string): Promise<Returnable | undefined> {
  const find = () =>
    ctx.run<Returnable>(
      sql`select run_id, credit_id, wire_time(returned_at) as returned_at from payment_run_payments where org_id = ${ctx.org} and payment_id = ${payment}`,
    )
  const [found] = await find()
  if (!found) return undefined
  await lockRun(ctx, found.run_id)
  const [locked] = await find()
  return locked
}

/** Where a credit of a run is applied, while it counts. */
export async function listApplied(ctx: Context, credit: string): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select id from allocations where org_id = ${ctx.org} and from_credit_id = ${credit} and ended_at is null order by bill_id`,
  )
  return rows.map(({ id }) => id)
}

export async function saveReturn(
  ctx: Context,
  run: string,
  payment: string,
  { code, reason }: { code: string | null; reason: string },
): Promise<void> {
  await together(
    ctx.run(sql`
      update payment_run_payments set returned_at = statement_timestamp(), return_code = ${code}, return_reason = ${reason} where org_id = ${ctx.org} and payment_id = ${payment}`),
    ctx.run(
      sql`update payment_run_items set state = 'returned' where org_id = ${ctx.org} and run_id = ${run} and payment_id = ${payment}`,
    ),
    ctx.run(
      sql`update payment_run_set_offs set state = 'returned' where org_id = ${ctx.org} and run_id = ${run} and payment_id = ${payment}`,
    ),
    ctx.run(sql`update payment_runs set ${nextRevision} where org_id = ${ctx.org} and id = ${run}`),
  )
}

const byPayment: Order = { keys: [{ value: sql`payment_id`, type: 'id' }], descending: false }

/** The payments of a run with the bills of each. Of drafts where they go is as it is now, of others as it was when they were issued. */
export async function listPaymentsOfRun(
  ctx: Context,
  run: string,
  asked: { offset?: number; limit?: number; after?: string },
): Promise<string> {
  const page = pageOf('payments', { ...asked, run }, keyTypesOf(byPayment))
  const bills = sql`select coalesce(json_agg(json_build_object('bill_id', i.bill_id, 'number', 'BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0'),
      'reference_number', b.reference_number, 'due_date', wire_time(b.due_date), 'amount', i.amount, 'discount_amount', i.discount_amount, 'set_off_amount', i.set_off_amount) order by b.due_date, i.bill_id), '[]')
    from payment_run_items i join bills b on b.org_id = i.org_id and b.id = i.bill_id where i.org_id = ${ctx.org} and i.payment_id = settled.payment_id`
  const sumOf = (column: Statement) =>
    sql`select coalesce(sum(${column}), 0)::bigint from payment_run_items i where i.org_id = ${ctx.org} and i.payment_id = settled.payment_id`
  const json = sql`json_build_object('payment_id', payment_id, 'number', number, 'status', status, 'partner_carrier_id', partner_carrier_id, 'payee_id', payee_id,
    'payee_name', payee_name, 'method', method, 'bank_details', bank_details, 'remittance_email', remittance_email, 'amount', amount, 'discount_amount', (${sumOf(sql`i.discount_amount`)}),
    'set_off_amount', (${sumOf(sql`i.set_off_amount`)}), 'set_offs', (${setOffsOf(ctx.org, sql`settled.payment_id`)}), 'credit_id', credit_id, 'returned_at', wire_time(returned_at), 'return_code', return_code, 'return_reason', return_reason, 'bills', (${bills}))::text`
  const rows = sql`from (
    select p.payment_id, 'PAY-' || lpad(m.number::text, greatest(6, length(m.number::text)), '0') as number, m.status, m.partner_carrier_id, p.payee_id,
      coalesce(p.payee_name, d.name) as payee_name, m.method, case when p.payee_name is null then d.bank_details_masked else p.bank_details_masked end as bank_details,
      case when p.payee_name is null then d.remittance_email else p.remittance_email end as remittance_email, m.amount, p.credit_id, p.returned_at, p.return_code, p.return_reason
    from payment_run_payments p join payments m on m.org_id = p.org_id and m.id = p.payment_id join payees d on d.org_id = p.org_id and d.id = p.payee_id
    where p.org_id = ${ctx.org} and p.run_id = ${run}) as settled where true`
  const total = sql`(select count(*)::int from payment_run_payments where org_id = ${ctx.org} and run_id = ${run})`
  const [found] = await ctx.run<FoundRecords>(pageStatement({ total, json, rows, order: byPayment, page }))
  return envelope('payments', found ?? nothingFound, page)
}

/** The payments of a run that were not returned, and where their advices go. */
/** Its payments that were not returned, with where the advice of each goes. */
export function listAdvised(
  ctx: Context,
  run: string,
): Promise<{ payment_id: string; payee_name: string | null; remittance_email: string | null }[]> {
  return ctx.run(sql`
    select payment_id, payee_name, remittance_email from payment_run_payments
    where org_id = ${ctx.org} and run_id = ${run} and returned_at is null order by payment_id`)
}
