import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { named, type Statement, sql } from '../../platform/db/sql/sql.ts'
import { recordEach } from '../../platform/events/record.ts'
import type { Link } from './links.ts'
import type { Circumstances } from './model.ts'

/**
 * What a document needs to know beyond the object that it is made from, in one statement: the party of the object, the item types of these names or
 * ids, and the pay term of this name, or else the party's. Of two item types with the same name the older is meant.
 */
export async function findCircumstances(
  ctx: Context,
  { party, payTerm }: { party: unknown; payTerm: unknown },
  types: readonly string[],
): Promise<Circumstances> {
  const [row] = await ctx.run<Circumstances>(sql`
    with party as (select name, json from objects where org_id = ${ctx.org} and id = ${party ?? null}::uuid and deleted_at is null)
    select (select json_build_object('name', name, 'json', json) from party) as party,
      (select coalesce(json_agg(json_build_object('id', id, 'name', lower(name)) order by created_at, id), '[]') from bill_item_types
        where org_id = ${ctx.org} and (lower(name) = any (select lower(t) from unnest(${types}::text[]) as t) or id::text = any (select lower(t) from unnest(${types}::text[]) as t))) as types,
      (select id from pay_terms where org_id = ${ctx.org} and lower(name) = lower(coalesce(${payTerm ?? null}::text, (select json ->> 'payTerm' from party)))) as pay_term_id`)
  return row as Circumstances
}

/** The bill item types, by their names. */
export function listItemTypes(ctx: Context): Promise<{ id: string; name: string }[]> {
  return ctx.run<{ id: string; name: string }>(
    sql`select id, name from bill_item_types where org_id = ${ctx.org} order by lower(name), id`,
  )
}

/** Those of these objects that are there, locked as a change of each locks it, in the order of their ids. */
export async function lockObjects(ctx: Context, { objectKey }: Link, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await ctx.run<{ id: string }>(sql`
    select id from objects where org_id = ${ctx.org} and id = any(${ids}::uuid[]) and object_key = ${objectKey} and deleted_at is null
    order by id for no key update`)
  return rows.map(({ id }) => id)
}

/** The document that was made from an object. */
export type LinkedDocument = { object_id: string; document_id: string; number: string | null; voided: boolean }

/** The documents of these objects, voided ones too. */
export async function listDocuments(ctx: Context, link: Link, objects: readonly string[]): Promise<LinkedDocument[]> {
  if (objects.length === 0) return []
  const { table, object, document } = namesOf(link)
  return ctx.run<LinkedDocument>(sql`
    select m.${object} as object_id, m.${document} as document_id, ${named(`${link.noun}_number`)}(b.number) as number,
      b.voided_at is not null as voided
    from ${table} m join ${named(link.documents)} b on b.org_id = m.org_id and b.id = m.${document}
    where m.org_id = ${ctx.org} and m.${object} = any(${objects}::uuid[])`)
}

function namesOf({ table, object, document }: Link): Record<'table' | 'object' | 'document', Statement> {
  return { table: named(table), object: named(object), document: named(document) }
}

export async function insertLink(ctx: Context, link: Link, from: string, made: string): Promise<void> {
  const { table, object, document } = namesOf(link)
  await ctx
    .run(sql`insert into ${table} (org_id, ${object}, ${document}) values (${ctx.org}, ${from}, ${made})`)
    .catch((error) => {
      const { objectKey, constraint, verb } = link
      if (violatedConstraint(error) === constraint)
        throw conflict(verb, `This ${objectKey} was ${verb} at the same moment. Read it again.`)
      throw error
    })
}

/** Another document in the place of one that was voided. */
export async function saveLink(ctx: Context, link: Link, from: string, made: string): Promise<void> {
  const { table, object, document } = namesOf(link)
  await ctx.run(sql`
    update ${table} set ${document} = ${made}, created_at = statement_timestamp()
    where org_id = ${ctx.org} and ${object} = ${from}`)
}

type Made = { from: string; made: string }

export async function insertLinks(ctx: Context, link: Link, links: readonly Made[]): Promise<void> {
  if (links.length === 0) return
  const { table, object, document } = namesOf(link)
  const [from, made] = [links.map((link) => link.from), links.map((link) => link.made)]
  await ctx
    .run(sql`
      insert into ${table} (org_id, ${object}, ${document})
      select own.org_id, n.object_id, n.document_id
      from organizations own cross join unnest(${from}::uuid[], ${made}::uuid[]) as n(object_id, document_id)
      where own.org_id = ${ctx.org}`)
    .catch((error) => {
      const { objectKey, constraint, verb } = link
      if (violatedConstraint(error) === constraint)
        throw conflict(verb, `One of the ${objectKey}s was ${verb} at the same moment. Read it again.`)
      throw error
    })
}

export async function saveLinks(ctx: Context, link: Link, links: readonly Made[]): Promise<void> {
  if (links.length === 0) return
  const { table, object, document } = namesOf(link)
  const [from, made] = [links.map((link) => link.from), links.map((link) => link.made)]
  await ctx.run(sql`
    update ${table} m set ${document} = n.document_id, created_at = statement_timestamp()
    from unnest(${from}::uuid[], ${made}::uuid[]) as n(object_id, document_id)
    where m.org_id = ${ctx.org} and m.${object} = n.object_id`)
}

/** Records of these objects that a document was made from them. */
export function recordLinked(ctx: Context, { objectKey, verb }: Link, ids: readonly string[]): Promise<void> {
  const events = ids.map((id) => ({ id, type: `${objectKey}.${verb}` as const }))
  return recordEach(
    ctx,
    objectKey,
    events,
    sql`select id, revision, json from objects_wire where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
}
