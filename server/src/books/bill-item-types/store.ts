import type { Context } from '../../platform/context.ts'
import { conflict, quote, type Refusal } from '../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { Revised } from '../../platform/core/schema/revisions.ts'
import type { PlainReference } from '../../platform/core/values/ids.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { each, sql, when } from '../../platform/db/sql/sql.ts'
import type { BillItemType, BillItemTypeSearch } from './model.ts'

type Content = Pick<BillItemType, 'external_id' | 'qb_external_id' | 'name' | 'class'>

export async function listBillItemTypes(ctx: Context, search: BillItemTypeSearch): Promise<string> {
  const page = pageOf('bill_item_types', search, keyTypesOf(newestFirst))
  const term = search.search_term
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'bill_item_types', search)}
    ${when(term, sql`and position(lower(${term}) in lower(concat_ws(chr(10), name, class, external_id, qb_external_id))) > 0`)}
    ${when(search.names, sql`and name_key = any (select lower(wanted) from unnest(${search.names}::text[]) as wanted)`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from bill_item_types where ${filter})`,
      rows: sql`from bill_item_types_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('bill_item_types', found ?? nothingFound, page)
}

export async function findBillItemType(ctx: Context, reference: PlainReference): Promise<Revised | undefined> {
  const [row] = await ctx.run<Revised>(
    reference.by === 'id'
      ? sql`select revision, json from bill_item_types_wire where org_id = ${ctx.org} and id = ${each('uuid', reference.id)}`
      : sql`select revision, json from bill_item_types_wire where org_id = ${ctx.org} and id = (
          select id from bill_item_types where org_id = ${ctx.org} and external_id = ${reference.external_id})`,
  )
  return row
}

/** The row is ours until the transaction ends. */
export async function lockBillItemType(ctx: Context, reference: PlainReference): Promise<BillItemType | undefined> {
  const [row] = await ctx.run<{ id: string }>(
    reference.by === 'id'
      ? sql`select id from bill_item_types where org_id = ${ctx.org} and id = ${reference.id} for update`
      : sql`select id from bill_item_types where org_id = ${ctx.org} and external_id = ${reference.external_id} for update`,
  )
  const found = row && (await findBillItemType(ctx, { by: 'id', id: row.id }))
  return found && JSON.parse(found.json)
}

export async function insertBillItemType(
  ctx: Context,
  id: string,
  { external_id, qb_external_id, name, class: class_ }: Content,
): Promise<void> {
  await ctx
    .run(sql`insert into bill_item_types (org_id, id, external_id, qb_external_id, name, class)
      values (${ctx.org}, ${id}, ${external_id}, ${qb_external_id}, ${name}, ${class_})`)
    .catch((error) => {
      throw asRefusal(error, external_id)
    })
}

export async function saveBillItemType(
  ctx: Context,
  { id, external_id, qb_external_id, name, class: class_ }: BillItemType,
): Promise<void> {
  await ctx
    .run(sql`update bill_item_types
      set external_id = ${external_id}, qb_external_id = ${qb_external_id}, name = ${name}, class = ${class_}, revision = revision + 1, updated_at = statement_timestamp()
      where org_id = ${ctx.org} and id = ${id}`)
    .catch((error) => {
      throw asRefusal(error, external_id)
    })
}

export async function deleteBillItemType(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from bill_item_types where org_id = ${ctx.org} and id = ${id}`).catch((error) => {
    throw asRefusal(error, null)
  })
}

function asRefusal(error: unknown, external_id: string | null): Refusal | unknown {
  switch (violatedConstraint(error)) {
    case 'bill_item_type_external_id':
      return conflict(
        'external_id_taken',
        `Another bill item type has the external_id ${quote(external_id)} already.`,
        [{ field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' }],
      )
    case 'bill_item_type_in_use':
      return conflict('in_use', 'This bill item type is used by lines of bills or invoices, so it cannot be deleted.')
    default:
      return error
  }
}
