import { type Context, together } from '../../../platform/context.ts'
import { conflict, invalid, quote } from '../../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { deleteCounted, updateCounted } from '../../../platform/db/counts/tallies.ts'
import { collision } from '../../../platform/db/pool/away.ts'
import { isAskedFor } from '../../../platform/db/sql/asked-for.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { named, nothing, type Statement, searching, sql } from '../../../platform/db/sql/sql.ts'
import type { DefaultTerm } from '../model/edit.ts'
import { namesOf } from '../model/fields/fields.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { homeFields } from '../model/home-amount.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'
import { unknownCurrency, unknownPayTerm } from '../model/refusals.ts'
import { pageAsked, searchStatement, someMatches } from '../search/page-sql.ts'
import { filterOf, type Search } from '../search/search-sql.ts'
import { tablesOf } from '../search/tables-sql.ts'
import { countedRows } from '../search/tallies-sql.ts'
import { deleteText, writeTexts } from '../search/texts-sql.ts'
import { narrowToCaller } from './access.ts'
import { isSeenBy } from './access-sql.ts'
import { answerOf } from './answer-sql.ts'

export async function listDocuments(ctx: Context, kind: Kind, search: Search): Promise<string> {
  const seen = narrowToCaller(ctx, kind, search)
  const page = pageAsked(kind, seen)
  const [found] = await ctx.run<FoundRecords>(searching(searchStatement(kind, ctx.org, seen, page)))
  return envelope(kind.plural, found ?? nothingFound, page)
}

/** How many documents match. */
export async function countDocuments(ctx: Context, kind: Kind, search: Search): Promise<number> {
  const { offset: _, after: __, ...filters } = narrowToCaller(ctx, kind, search)
  const page = pageAsked(kind, { ...filters, limit: 0 })
  const [found] = await ctx.run<FoundRecords>(searchStatement(kind, ctx.org, filters, page))
  return found?.total ?? 0
}

/** Whether more documents match than this. No more than one beyond it is looked at. */
export async function matchMoreThan(ctx: Context, kind: Kind, search: Search, most: number): Promise<boolean> {
  const [row] = await ctx.run<{ more: boolean }>(
    sql`select count(*) > ${most} as more from (${someMatches(kind, ctx.org, narrowToCaller(ctx, kind, search), most + 1)}) as matching`,
  )
  return row?.more ?? false
}

/** How many documents match in each state and currency, and what they come to. */
export async function sumDocuments(ctx: Context, kind: Kind, search: Search): Promise<string> {
  const { documents } = tablesOf(kind)
  const [row] = await ctx.run<{ json: string }>(
    searching(sql`
      select '{"totals":[' || coalesce(string_agg(json, ',' order by currency_id, status_id), '') || ']}' as json from (
        select b.currency_id, b.status_id, json_build_object('status_id', b.status_id, 'currency_id', b.currency_id,
          'count', count(*), 'total_amount', sum(b.total_amount))::text as json
        from ${documents} b where ${filterOf(kind, ctx.org, narrowToCaller(ctx, kind, search))}
        group by b.currency_id, b.status_id) as summed`),
  )
  return row?.json ?? '{"totals":[]}'
}

/** The whole answer about a document, made where the data is: one round trip. */
export async function findDocument(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  { withCurrency = true } = {},
): Promise<WireRecord | undefined> {
  const { documentsWire, linesWire, parentKey } = tablesOf(kind)
  const answer = answerOf(kind, ctx.org, { row: sql`b`, json: sql`b.json`, lines: sql`lines.json` }, { withCurrency })
  const [row] = await ctx.run<WireRecord>(sql`
    select b.revision, ${answer} as json
    from ${documentsWire} b left join lateral (
      select array_agg(i.json order by i.position) as json from ${linesWire} i where i.org_id = ${ctx.org} and i.${parentKey} = b.id) lines on true
    where b.org_id = ${ctx.org} ${isSeenBy(ctx, kind)} and ${isAskedFor(reference, 'b', { table: kind.plural, org: ctx.org })}`)
  return row
}

/** A document that the transaction has locked, with what the rules need to know of it. */
export type LockedDocument<D extends Document = Document> = {
  document: D
  lines: number
  payTermDays: number | null
  defaultTerm: DefaultTerm | null
  /** What its lines come to in taxes; null where none carries a tax rate. */
  lineTax: number | null
  /** The home currency of the organization, and whether it has documents approved. */
  home: string | null
  approves: boolean
}

/** What the rules need to know of the documents `w` of an organization that are picked. */
function readOf(kind: Kind, org: string, picked: Statement): Statement {
  const { documentsWire, lines, parentKey } = tablesOf(kind)
  return sql`
    select w.json,
      (select count(*)::int from ${lines} i where i.org_id = ${org} and i.${parentKey} = w.id) as lines,
      (select sum(i.tax_amount) from ${lines} i where i.org_id = ${org} and i.${parentKey} = w.id and i.tax_rate_id is not null) as tax,
      (select json_build_object('home', o.home_currency_id, 'approves', o.approvals = 'on') from organizations o where o.org_id = ${org}) as own,
      (select t.number_of_days from pay_terms t where t.org_id = ${org} and t.id = w.pay_term_id) as days,
      ${defaultTermOf(kind, org)} as default_term
    from ${documentsWire} w where w.org_id = ${org} and ${picked}`
}

/** The default term of an organization, as JSON, for kinds that take it. */
function defaultTermOf({ takesDefaultTerm }: Pick<Kind, 'takesDefaultTerm'>, org: string): Statement {
  if (!takesDefaultTerm) return sql`null::json`
  return sql`(select json_build_object('id', t.id, 'days', t.number_of_days) from default_pay_terms p join pay_terms t on t.org_id = p.org_id and t.id = p.pay_term_id
    where p.org_id = ${org})`
}

type Read = {
  json: string
  lines: number
  tax: string | null
  own: { home: string | null; approves: boolean }
  days: number | null
  default_term: DefaultTerm | null
}

/**
 * The document is ours until the transaction ends, and before it the record it is part of. Both locks and the reading go out together. Where the
 * document was put on another such record just then, nobody waits for that one's lock with the document's in hand: whoever has it may be waiting for
 * the document. Where it is not free at once, the transaction begins again.
 */
export async function lockDocument<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  reference: Reference,
): Promise<LockedDocument<D> | undefined> {
  const { documents } = tablesOf(kind)
  const parentTable = kind.parent && named(kind.parent.table)
  const parentId = kind.parent ? sql`b.${named(kind.parent.key)}` : nothing
  const which = sql`b.org_id = ${ctx.org} and ${isAskedFor(reference, 'b', { table: kind.plural, org: ctx.org })} ${isSeenBy(ctx, kind)}`
  const [[locked], [found]] = await together(
    ctx.run<{ parent: string | null; held: string | null }>(
      parentTable
        ? sql`with held as materialized (
            select s.id from ${parentTable} s
            where s.org_id = ${ctx.org} and s.id = (select ${parentId} from ${documents} b where ${which}) for update)
          select ${parentId} as parent, held.id as held from ${documents} b left join held on true where ${which} for update of b`
        : sql`select null as parent, null as held from ${documents} b where ${which} for update`,
    ),
    ctx.run<Read>(readOf(kind, ctx.org, sql`w.id = (select b.id from ${documents} b where ${which})`)),
  )
  if (!locked || !found) return undefined
  if (!parentTable || locked.parent === null || locked.parent === locked.held) return lockedOf(found)
  const [free] = await ctx.run(
    sql`select s.id from ${parentTable} s where s.org_id = ${ctx.org} and s.id = ${locked.parent} for update skip locked`,
  )
  if (!free) throw collision(`the ${kind.noun} was put on another record meanwhile`)
  return lockedOf(found)
}

/** Whether the organization has documents of this kind approved. */
export async function approvesDocuments(ctx: Context, { approving }: Pick<Kind, 'approving'>): Promise<boolean> {
  if (!approving) return false
  const [row] = await ctx.run<{ approves: boolean }>(
    sql`select approvals = 'on' as approves from organizations where org_id = ${ctx.org}`,
  )
  return row?.approves ?? false
}

/** Locks those of these documents that are there, in the order of their ids. */
export async function lockIds(ctx: Context, kind: Kind, ids: readonly string[]): Promise<string[]> {
  const locked = await ctx.run<{ id: string }>(
    sql`select b.id from ${tablesOf(kind).documents} b
      where b.org_id = ${ctx.org} and b.id = ${oneOf(ids)} ${isSeenBy(ctx, kind)} order by b.id for update`,
  )
  return locked.map(({ id }) => id)
}

/** These documents, which the caller has locked, in the order of their ids. */
export async function readLocked<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  ids: readonly string[],
): Promise<LockedDocument<D>[]> {
  const rows = await ctx.run<Read>(readOf(kind, ctx.org, sql`w.id = ${oneOf(ids)} order by w.id`))
  return rows.map((row) => lockedOf<D>(row))
}

function lockedOf<D extends Document>({ json, lines, tax, own, days, default_term }: Read): LockedDocument<D> {
  return {
    document: JSON.parse(json),
    lines,
    payTermDays: days,
    defaultTerm: default_term,
    lineTax: tax === null ? null : Number(tax),
    ...own,
  }
}

/** The columns that a creation writes, and those that a rule may have changed afterwards. */
export const writtenColumns = onceFor(({ fields }) => {
  const stored = (...names: string[]) => names.filter((name) => fields[name]?.column)
  const content = [...namesOf(fields, 'client', 'sum'), 'total_amount', 'kept_tax_amount', ...homeFields]
  return {
    inserted: stored('id', 'full_id', 'created_by', ...namesOf(fields, 'creation'), ...content),
    saved: stored(...namesOf(fields, 'move'), ...content),
  }
})

/** What was paid of a document, and where it stood before it was paid. What is paid and stays so keeps both. */
export function paidColumns({ status, total, paid }: Record<'status' | 'total' | 'paid', Statement>): Statement {
  return sql`amount_paid = case when status_id = 'paid' and ${status} = 'paid' then amount_paid else ${paid} end,
    unpaid_status_id = case when ${status} <> 'paid' then null when status_id = 'paid' then unpaid_status_id
      when status_id = 'sent' and total_amount <> ${total} then 'edited' else status_id end`
}

export const nextRevision: Statement = sql`revision = revision + 1, updated_at = greatest(statement_timestamp(), created_at)`

/** Raises the revision and changes nothing else. */
export async function saveRevisions(ctx: Context, kind: Kind, ids: readonly string[]): Promise<void> {
  await updateCounted(
    ctx,
    countedRows(kind),
    sql`id = ${oneOf(ids)}`,
    (was) =>
      sql`update ${tablesOf(kind).documents} set ${nextRevision} from ${was} where org_id = ${ctx.org} and id = was.row_id`,
  )
}

export async function deleteDocument(ctx: Context, kind: Kind, id: string): Promise<void> {
  await together(deleteCounted(ctx, countedRows(kind), sql`id = ${id}`), ctx.run(deleteText(kind, ctx.org, id)))
}

/** Keeps what `search_term` looks through as the documents are now. */
export async function saveTexts(ctx: Context, kind: Kind, ids: readonly string[]): Promise<void> {
  await ctx.run(writeTexts(kind, ctx.org, sql`b.id = ${oneOf(ids)}`))
}

/** Whether a change of these fields changes what `search_term` looks through. A number is given once. */
export function changesText({ fields }: Kind, previous: object, gotNumber: boolean): boolean {
  return gotNumber || Object.keys(previous).some((name) => fields[name]?.searched)
}

/** What the constraints of a document say, about the one that is written. */
export function refusing({ noun, parent, approving }: Kind, { external_id, pay_term_id, currency_id }: Document) {
  return (error: unknown): never => {
    switch (violatedConstraint(error)) {
      case `${noun}_external_id`:
        throw conflict('external_id_taken', `Another ${noun} has the external_id ${quote(external_id)} already.`, [
          { field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' },
        ])
      case `${noun}_pay_term`:
        throw unknownPayTerm(pay_term_id)
      case `${noun}_currency`:
        throw unknownCurrency(currency_id)
      case parent?.constraint ?? 'none':
        throw parent?.broken()
      case approving?.constraint ?? 'none':
        throw approving?.refused()
      case 'amount_is_exact_in_json':
        throw invalid(
          'total_amount',
          'amount_too_large',
          'The total would be beyond ±9007199254740991, the largest amount that can be kept exactly.',
        )
      default:
        throw error
    }
  }
}
