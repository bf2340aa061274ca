import type { Context } from '../../../platform/context.ts'
import { insertCounted, updateCounted } from '../../../platform/db/counts/tallies.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { named, type Statement, sql, when } from '../../../platform/db/sql/sql.ts'
import type { DefaultTerm } from '../model/edit.ts'
import type { Line } from '../model/fields/line-fields.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'
import type { CurrentDocument, ReferencedRecords } from '../model/plan.ts'
import { tablesOf } from '../search/tables-sql.ts'
import { countedRows } from '../search/tallies-sql.ts'
import { columnsOf, typedColumns, typesOf } from './columns-sql.ts'
import { paidColumns, refusing, writtenColumns } from './store.ts'

export type NamedRecords = { payTerms: string[]; currencies: string[]; lineTypes: string[] }

/** The columns that creations and changes write, as they are called in the table and in the rows that are written. */
const columnsFor = onceFor((kind) => {
  const { fields } = kind
  const { inserted, saved } = writtenColumns(kind)
  const created = [...new Set([...inserted, ...saved])]
  const types = Object.fromEntries(
    Object.entries(typesOf(fields, [...created, 'amount_paid'])).map(([column, type]) => [nameInRow(column), type]),
  )
  return {
    created: named(created),
    createdInRow: columnsOf('n', created.map(nameInRow)),
    saved: named(saved),
    savedInRow: columnsOf('n', saved.map(nameInRow)),
    typed: typedColumns(types),
  }
})

/** Columns of a row that is written which are named apart: the counts and the columns of payments read those of the table by these names. */
const namedApart: readonly string[] = ['status_id', 'total_amount', 'amount_paid']

function nameInRow(column: string): string {
  return namedApart.includes(column) ? `new_${column}` : column
}

/** Which of these are there. Terms and types stay there until the transaction ends. */
export async function lookUp(
  ctx: Context,
  kind: Kind,
  { payTerms, currencies, lineTypes }: NamedRecords,
): Promise<Omit<ReferencedRecords, 'now' | 'taxRates'>> {
  const { type } = kind.lines
  const [[standard], terms, codes, types] = await Promise.all([
    kind.takesDefaultTerm
      ? ctx.run<DefaultTerm>(sql`
          select t.id, t.number_of_days as days
          from default_pay_terms p join pay_terms t on t.org_id = ${ctx.org} and t.id = p.pay_term_id
          where p.org_id = ${ctx.org} for key share of t`)
      : [],
    ctx.run<{ id: string; days: number }>(sql`
      select id, number_of_days as days from pay_terms
      where org_id = ${ctx.org} and id = ${oneOf(payTerms)} order by id for key share`),
    ctx.run<{ id: string }>(sql`select id from currencies where id = any(${currencies}::text[])`),
    type
      ? ctx.run<{ id: string }>(sql`
          select id from ${named(type.table)}
          where org_id = ${ctx.org} and id = ${oneOf(lineTypes)} order by id for key share`)
      : [],
  ])
  return {
    defaultTerm: standard ?? null,
    payTerms: new Map(terms.map(({ id, days }) => [id, days])),
    currencies: new Set(codes.map(({ id }) => id)),
    lineTypes: new Set(types.map(({ id }) => id)),
  }
}

type Found = { id: string; parent: string | null }

/**
 * The documents of these external ids or ids, locked: the records they are part of first, then the documents, each by id, as everyone who takes
 * several does. Null where one was moved or removed meanwhile.
 */
export async function lockNamed<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  names: { externalIds: string[]; ids: string[] },
): Promise<CurrentDocument<D>[] | null> {
  const found = await ctx.run<Found>(sql`
    select id, ${parentOf(kind)} as parent from ${tablesOf(kind).documents}
    where org_id = ${ctx.org} and (external_id = any (array(select unnest(${names.externalIds}::text[]))) or id = ${oneOf(names.ids)})`)
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  return (await lockFound(ctx, kind, found)) ? readCurrent(ctx, kind, ids) : null
}

/** Those of these documents that are there, locked with the records they are part of. Null where one was moved or removed meanwhile. */
export async function lockWhole(ctx: Context, kind: Kind, ids: readonly string[]): Promise<string[] | null> {
  const found = await ctx.run<Found>(sql`
    select id, ${parentOf(kind)} as parent from ${tablesOf(kind).documents}
    where org_id = ${ctx.org} and id = ${oneOf(ids)}`)
  if (found.length === 0) return []
  return (await lockFound(ctx, kind, found)) ? found.map(({ id }) => id) : null
}

/** The record that a document is part of. */
function parentOf({ parent }: Kind): Statement {
  return parent ? named(parent.key) : sql`null::uuid`
}

/** Whether they are still where they were found. */
async function lockFound(ctx: Context, kind: Kind, found: readonly Found[]): Promise<boolean> {
  const ids = found.map(({ id }) => id)
  const parents = [...new Set(found.flatMap(({ parent }) => parent ?? []))]
  if (kind.parent && parents.length > 0) {
    await ctx.run(sql`
      select id from ${named(kind.parent.table)}
      where org_id = ${ctx.org} and id = ${oneOf(parents)} order by id for update`)
  }
  const locked = await ctx.run<Found>(sql`
    select id, ${parentOf(kind)} as parent from ${tablesOf(kind).documents}
    where org_id = ${ctx.org} and id = ${oneOf(ids)} order by id for update`)
  const now = new Map(locked.map(({ id, parent }) => [id, parent]))
  return found.every(({ id, parent }) => now.get(id) === parent)
}

async function readCurrent<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  ids: readonly string[],
): Promise<CurrentDocument<D>[]> {
  const { documentsWire, linesWire, parentKey } = tablesOf(kind)
  const rows = await ctx.run<{ json: string; lines: string; days: number | null }>(sql`
    select w.json,
      (select t.number_of_days from pay_terms t where t.org_id = ${ctx.org} and t.id = w.pay_term_id) as days,
      '[' || coalesce((
        select string_agg(i.json, ',' order by i.position) from ${linesWire} i
        where i.org_id = ${ctx.org} and i.${parentKey} = w.id), '') || ']' as lines
    from ${documentsWire} w where w.org_id = ${ctx.org} and w.id = ${oneOf(ids)}`)
  return rows.map(({ json, lines, days }) => ({
    document: JSON.parse(json),
    lines: JSON.parse(lines) as Line[],
    payTermDays: days,
  }))
}

/** A document with the number that it gets, if it gets one now. */
export type NumberedDocument = Document & { new_number: number | null }

/** What becomes of a new document whose external id another has taken meanwhile: a refusal, or nothing, and the others go in. */
export type WhereTaken = 'refused' | 'left out'

/** New documents, each in its final state; gives back how many went in. */
export function insertDocuments(
  ctx: Context,
  kind: Kind,
  documents: readonly NumberedDocument[],
  whereTaken: WhereTaken,
): Promise<number> {
  const { documents: table } = tablesOf(kind)
  const { created, createdInRow } = columnsFor(kind)
  // Everyone inserts in this order, so that nobody waits in a circle.
  const ordered = documents.toSorted((one, other) => ((one.external_id ?? '') < (other.external_id ?? '') ? -1 : 1))
  return insertCounted(
    ctx,
    countedRows(kind),
    sql`insert into ${table} as b (org_id, ${created}, amount_paid, unpaid_status_id, number, revision)
      select own.org_id, ${createdInRow}, n.new_amount_paid,
        case when n.new_status_id = 'paid' then case when n.sent_at is null then 'saved' else 'sent' end end,
        n.new_number, n.revision
      from organizations own cross join ${recordsOf(kind, ordered)} where own.org_id = ${ctx.org}
      ${when(whereTaken === 'left out', sql`on conflict on constraint ${named(`${kind.noun}_external_id`)} do nothing`)}`,
  ).catch(refusing(kind, documents[0] as Document))
}

/** What the rules made of these documents, one revision further each. */
export async function saveDocuments(ctx: Context, kind: Kind, documents: readonly NumberedDocument[]): Promise<void> {
  const { saved, savedInRow } = columnsFor(kind)
  await updateCounted(
    ctx,
    countedRows(kind),
    sql`id = ${oneOf(documents.map(({ id }) => id))}`,
    (was) => sql`update ${tablesOf(kind).documents} b set (${saved}) = row(${savedInRow}),
        ${paidColumns({ status: sql`n.new_status_id`, total: sql`n.new_total_amount`, paid: sql`n.new_amount_paid` })},
        number = coalesce(b.number, n.new_number), revision = b.revision + 1,
        updated_at = greatest(statement_timestamp(), b.created_at)
      from ${was} join ${recordsOf(kind, documents)} on n.id = was.row_id where b.org_id = ${ctx.org} and b.id = was.row_id`,
  ).catch(refusing(kind, documents[0] as Document))
}

function recordsOf(kind: Kind, documents: readonly NumberedDocument[]): Statement {
  const rows = documents.map((document) => ({
    ...document,
    ...Object.fromEntries(namedApart.map((column) => [nameInRow(column), document[column as keyof Document]])),
  }))
  const { typed } = columnsFor(kind)
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n(new_number int, revision int, ${typed})`
}

/** What is written from here on can be taken back without giving up the transaction. */
export async function beginAttempt(ctx: Context, name: 'rows' | 'row'): Promise<void> {
  await ctx.run(name === 'rows' ? sql`savepoint before_rows` : sql`savepoint before_row`)
}

export async function takeBack(ctx: Context, name: 'rows' | 'row'): Promise<void> {
  await ctx.run(name === 'rows' ? sql`rollback to savepoint before_rows` : sql`rollback to savepoint before_row`)
}
