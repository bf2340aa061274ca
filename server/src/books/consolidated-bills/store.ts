import Type, { type Static } from 'typebox'
import type { Context } from '../../platform/context.ts'
import { conflict, invalid, quote } from '../../platform/core/refusal.ts'
import { Numbers, numbersIn } from '../../platform/core/schema/numbers.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { changedBetween, Moment, paging } from '../../platform/core/schema/schema.ts'
import { parseDate } from '../../platform/core/values/dates.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { largestAmount } from '../../platform/core/values/money.ts'
import { isAskedFor } from '../../platform/db/sql/asked-for.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { beyond, keyOf, keyTypesOf, listAndNext, newestFirst, oneMore } from '../../platform/db/sql/keyset.ts'
import { list, named, nothing, sql, when } from '../../platform/db/sql/sql.ts'
import { type EventOf, recordEach } from '../../platform/events/record.ts'
import { namesOf } from '../documents/model/fields/fields.ts'
import { statuses } from '../documents/model/fields/lifecycle.ts'
import { containsWords } from '../documents/search/texts-sql.ts'
import { statementFields, types } from './fields.ts'
import type { ConsolidatedBill } from './model.ts'

const at = (description: string) => Type.Optional(Moment(`${description} Inclusive; a bare date means the whole day.`))
const ids = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 500,
      description,
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  )

export const ConsolidatedBillSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Keeps the statements that have every word of this text somewhere in their number, their reference number or the name of their payee or partner, upper and lower case the same.',
      examples: ['cascade stmt-000012'],
    }),
  ),
  consolidated_bill_type_ids: Type.Optional(
    Type.Array(Type.Enum(types), {
      maxItems: 10,
      description: 'Keeps these types.',
      examples: [['carrier_statement']],
    }),
  ),
  number: Numbers('STMT-000012'),
  status_ids: Type.Optional(
    Type.Array(Type.Enum(statuses), {
      maxItems: 50,
      description: 'Keeps those in one of these states.',
      examples: [['sent']],
    }),
  ),
  partner_carrier_ids: ids('Keeps those of these payees.'),
  driver_ids: ids('Keeps those of these drivers.'),
  period_start_at: at('Keeps those whose pay period reaches to this time or beyond.'),
  period_end_at: at('Keeps those whose pay period begins at or before this time.'),
  created_start_at: at('Created at or after.'),
  created_end_at: at('Created at or before.'),
  exported: Type.Optional(
    Type.Boolean({
      description:
        'With true keeps those that were exported to the accounting package, with false those that were not.',
      examples: [false],
    }),
  ),
  qb_exported_start_at: at('Exported to the accounting package at or after.'),
  qb_exported_end_at: at('Exported to the accounting package at or before.'),
  include_voided: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'With true, statements that were voided are found too.',
      examples: [false],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type ConsolidatedBillSearch = Static<typeof ConsolidatedBillSearch>

/** There are few statements compared with bills, so a search reads them as they are. */
const textsIn = (
  org: string,
) => sql`lower(concat_ws(E'\n', 'STMT-' || lpad(s.number::text, greatest(6, length(s.number::text)), '0'), s.reference_number, s.remit_to ->> 'company_name',
  s.remit_to ->> 'contact_name', (select p.name from objects p where p.org_id = ${org} and p.id = s.partner_carrier_id and p.object_key = 'partner' and p.deleted_at is null)))`

export async function listConsolidatedBills(ctx: Context, search: ConsolidatedBillSearch): Promise<string> {
  const page = pageOf('consolidated_bills', search, keyTypesOf(newestFirst))
  const day = (text: string | undefined, edge: 'start' | 'end') =>
    text === undefined ? undefined : parseDate(text, edge)
  const [from, to, since, until, exportedFrom, exportedTo] = [
    day(search.period_start_at, 'start'),
    day(search.period_end_at, 'end'),
    day(search.created_start_at, 'start'),
    day(search.created_end_at, 'end'),
    day(search.qb_exported_start_at, 'start'),
    day(search.qb_exported_end_at, 'end'),
  ]
  const filter = sql`s.org_id = ${ctx.org}${andChanged(ctx.org, 'consolidated_bills', search)} ${when(search.include_voided !== true, sql`and s.voided_at is null`)}
    ${search.search_term?.trim() ? sql`and ${containsWords(textsIn(ctx.org), search.search_term)}` : nothing}
    ${when(search.consolidated_bill_type_ids, sql`and s.consolidated_bill_type_id = any(${search.consolidated_bill_type_ids}::text[])`)}
    ${when(search.number, sql`and s.number = any(${numbersIn(search.number, 'STMT')}::int[])`)}
    ${when(search.status_ids, sql`and s.status_id = any(${search.status_ids}::text[])`)}
    ${when(search.partner_carrier_ids, sql`and s.partner_carrier_id = any(${search.partner_carrier_ids}::uuid[])`)}
    ${when(search.driver_ids, sql`and s.driver_id = any(${search.driver_ids}::uuid[])`)}
    ${when(from, sql`and s.pay_period_end >= ${from}`)} ${when(to, sql`and s.pay_period_start <= ${to}`)}
    ${when(since, sql`and s.created_at >= ${since}`)} ${when(until, sql`and s.created_at <= ${until}`)}
    ${when(search.exported === true, sql`and s.qb_exported_at is not null`)} ${when(search.exported === false, sql`and s.qb_exported_at is null`)}
    ${when(exportedFrom, sql`and s.qb_exported_at >= ${exportedFrom}`)} ${when(exportedTo, sql`and s.qb_exported_at <= ${exportedTo}`)}`
  const rows = sql`select id, ${keyOf(newestFirst)} as key, row_number() over () as place from (
    select s.id, s.created_at from consolidated_bills s where ${filter}${beyond(newestFirst, page.after)} order by s.created_at desc, s.id desc ${oneMore(page)}) as ordered`
  const [found] = await ctx.run<FoundRecords>(sql`
    select (select count(*)::int from consolidated_bills s where ${filter}) as total, listed.list, listed.next
    from (select ${listAndNext(page.limit, sql`w.json`, sql`page.key`)} from (${rows}) as page
      cross join lateral (select json from consolidated_bills_wire where org_id = ${ctx.org} and id = page.id offset 0) w) as listed`)
  return envelope('consolidated_bills', found ?? nothingFound, page)
}

/** The whole answer about a statement: its bills, each with its lines, in one round trip. Those that a voided one had are shown as they are now. */
export async function findConsolidatedBill(ctx: Context, reference: Reference): Promise<WireRecord | undefined> {
  const which = isAskedFor(reference, 's', { table: 'consolidated_bills', org: ctx.org })
  const [row] = await ctx.run<WireRecord>(sql`
    select s.revision, '{"consolidated_bill":' || w.json || ',"created_by":' || to_json(s.created_by)::text || ',"bills":[' || coalesce(gathered.bills, '') || ']'
      || ',"pay_term":' || coalesce((select t.json from pay_terms_wire t where t.org_id = ${ctx.org} and t.id = s.pay_term_id), 'null')
      || ',"currency_info":' || coalesce((select c.json from currencies_wire c where c.id = s.currency_id), 'null') || '}' as json
    from consolidated_bills s join consolidated_bills_wire w on w.org_id = s.org_id and w.id = s.id
    left join lateral (
      select string_agg(b.open_json || ',"bill_items":[' || coalesce((
          select string_agg(i.json, ',' order by i.position) from bill_items_wire i where i.org_id = ${ctx.org} and i.bill_id = b.id), '') || ']}', ',' order by b.created_at, b.id) as bills
      from (select id, created_at, open_json from bills_wire where org_id = ${ctx.org} and consolidated_bill_id = s.id
        union all select id, created_at, open_json from bills_wire where org_id = ${ctx.org} and id = any(s.voided_bill_ids)) b) gathered on true
    where s.org_id = ${ctx.org} and ${which}`)
  return row
}

export async function lockConsolidatedBill(ctx: Context, reference: Reference): Promise<ConsolidatedBill | undefined> {
  const which = isAskedFor(reference, 's', { table: 'consolidated_bills', org: ctx.org })
  const [locked] = await ctx.run<{ id: string }>(
    sql`select s.id from consolidated_bills s where s.org_id = ${ctx.org} and ${which} for update`,
  )
  return locked && readConsolidatedBill(ctx, locked.id)
}

export async function readConsolidatedBill(ctx: Context, id: string): Promise<ConsolidatedBill> {
  const [row] = await ctx.run<{ json: string }>(
    sql`select json from consolidated_bills_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return JSON.parse(row?.json as string)
}

export async function sumsAreExact(ctx: Context, id: string): Promise<boolean> {
  const [row] = await ctx.run<{ exact: boolean }>(sql`
    select coalesce(greatest(abs(sum(sub_total_amount)), abs(sum(tax_amount)), abs(sum(total_amount))) <= ${largestAmount}, true) as exact
    from bills where org_id = ${ctx.org} and consolidated_bill_id = ${id}`)
  return row?.exact === true
}

export async function isCurrency(ctx: Context, id: string): Promise<boolean> {
  return (await ctx.run(sql`select from currencies where id = ${id.toLowerCase()}`)).length > 0
}

const content = namesOf(statementFields, 'client')
const inserted = ['id', 'full_id', 'external_id', 'partner_carrier_id', 'currency_id', 'created_by', ...content]
const saved = [...content, ...namesOf(statementFields, 'move')]

export async function insertConsolidatedBill(ctx: Context, statement: ConsolidatedBill): Promise<void> {
  await ctx
    .run(sql`
      insert into consolidated_bills (org_id, ${named(inserted)})
      values (${list([ctx.org, ...valuesOf(statement, inserted)])})`)
    .catch(refusing(statement))
}

export async function saveConsolidatedBill(
  ctx: Context,
  statement: ConsolidatedBill,
  number: number | null,
): Promise<void> {
  await ctx
    .run(sql`
      update consolidated_bills set (${named(saved)}) = row(${list(valuesOf(statement, saved))}),
        number = coalesce(number, ${number}::int), revision = revision + 1, updated_at = statement_timestamp()
      where org_id = ${ctx.org} and id = ${statement.id}`)
    .catch(refusing(statement))
}

/** Keeps what its bills are and come to, which are taken off it next. */
export async function saveVoid(
  ctx: Context,
  { id, bill_ids, sub_total_amount, tax_amount, total_amount }: ConsolidatedBill,
  reason: string,
): Promise<void> {
  await ctx.run(sql`update consolidated_bills set voided_at = statement_timestamp(), void_reason = ${reason}, voided_bill_ids = ${bill_ids}::uuid[],
      voided_sub_total_amount = ${sub_total_amount}, voided_tax_amount = ${tax_amount}, voided_total_amount = ${total_amount},
      revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}

function valuesOf(statement: ConsolidatedBill, names: readonly string[]): unknown[] {
  return names.map((name) => (statement as Record<string, unknown>)[name])
}

export async function deleteConsolidatedBill(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from consolidated_bills where org_id = ${ctx.org} and id = ${id}`)
}

export function recordEvents(ctx: Context, id: string, events: readonly EventOf[]): Promise<void> {
  return recordEach(
    ctx,
    'consolidated_bill',
    events,
    sql`select id, revision, json from consolidated_bills_wire where org_id = ${ctx.org} and id = ${id}`,
  )
}

function refusing({ external_id, pay_term_id, currency_id }: ConsolidatedBill) {
  return (error: unknown): never => {
    switch (violatedConstraint(error)) {
      case 'consolidated_bill_external_id':
        throw conflict('external_id_taken', `Another statement has the external_id ${quote(external_id)} already.`, [
          { field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' },
        ])
      case 'consolidated_bill_pay_term':
        throw invalid(
          'pay_term_id',
          'unknown_pay_term',
          `There is no pay term ${quote(pay_term_id)} in this organization.`,
        )
      case 'consolidated_bill_currency':
        throw invalid(
          'currency_id',
          'unknown_currency',
          `${quote(currency_id)} is not the lower-case code of an ISO 4217 currency, such as "usd".`,
        )
      case 'consolidated_bill_period_runs_forward':
        throw invalid('pay_period_end', 'empty_period', 'The pay period ends before it begins.')
      default:
        throw error
    }
  }
}
