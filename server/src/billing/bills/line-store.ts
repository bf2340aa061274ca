import type { Context } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { envelope, nothingFound, type Page } from '../../core/pages.ts'
import { violated } from '../../db/constraints.ts'
import { sliceOf, sql } from '../../db/sql.ts'
import type { BillItem, PricedLine } from './line-model.ts'
import { unknownItemType } from './refusals.ts'

export async function listLines(ctx: Context, bill: string, page: Page): Promise<string> {
  const [row] = await ctx.run<{ list: string; total: number }>(sql`
    select (select count(*)::int from bill_items where org_id = ${ctx.org} and bill_id = ${bill}) as total,
      (select '[' || coalesce(string_agg(json, ',' order by position), '') || ']' from (
        select json, position from bill_items_wire where org_id = ${ctx.org} and bill_id = ${bill} order by position ${sliceOf(page)}) as page) as list`)
  return envelope('bill_items', row ?? nothingFound, page)
}

export async function findLine(ctx: Context, bill: string, id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ json: string }>(sql`select json from bill_items_wire where org_id = ${ctx.org} and bill_id = ${bill} and id = ${id}`)
  return row?.json
}

export async function linesOf(ctx: Context, bill: string): Promise<BillItem[]> {
  const rows = await ctx.run<{ json: string }>(sql`select json from bill_items_wire where org_id = ${ctx.org} and bill_id = ${bill} order by position`)
  return rows.map(({ json }) => JSON.parse(json))
}

/** Behind the lines that are there; all of them in one statement. */
export async function insertLines(ctx: Context, bill: string, lines: readonly PricedLine[]): Promise<string[]> {
  if (lines.length === 0) return []
  const ids = lines.map(() => newId())
  const rows = lines.map((line, index) => ({ ...line, id: ids[index], place: index + 1 }))
  await ctx
    .run(sql`
      insert into bill_items (org_id, id, bill_id, position, bill_item_type_id, manifest_id, manifest_payment_item_id, unit_price, quantity, total_amount, description)
      select ${ctx.org}, l.id, ${bill}, l.place + (select coalesce(max(position), 0) from bill_items where org_id = ${ctx.org} and bill_id = ${bill}),
        l.bill_item_type_id, l.manifest_id, l.manifest_payment_item_id, l.unit_price, l.quantity, l.total_amount, l.description
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as l(id uuid, place int, bill_item_type_id uuid, manifest_id uuid, manifest_payment_item_id uuid,
        unit_price bigint, quantity bigint, total_amount bigint, description text)`)
    .catch(refuse)
  return ids
}

export async function saveLine(ctx: Context, id: string, line: PricedLine): Promise<void> {
  await ctx
    .run(sql`
      update bill_items set bill_item_type_id = ${line.bill_item_type_id}, manifest_id = ${line.manifest_id}, manifest_payment_item_id = ${line.manifest_payment_item_id},
        unit_price = ${line.unit_price}, quantity = ${line.quantity}, total_amount = ${line.total_amount}, description = ${line.description}, updated_at = clock_timestamp()
      where org_id = ${ctx.org} and id = ${id}`)
    .catch(refuse)
}

export async function deleteLine(ctx: Context, bill: string, { id, position }: BillItem): Promise<void> {
  await ctx.run(sql`delete from bill_items where org_id = ${ctx.org} and id = ${id}`)
  await ctx.run(sql`update bill_items set position = position - 1 where org_id = ${ctx.org} and bill_id = ${bill} and position > ${position}`)
}

export async function saveOrder(ctx: Context, bill: string, ids: readonly string[]): Promise<void> {
  await ctx.run(sql`
    update bill_items i set position = o.place from unnest(${ids}::uuid[]) with ordinality as o(id, place)
    where i.org_id = ${ctx.org} and i.bill_id = ${bill} and i.id = o.id`)
}

function refuse(error: unknown): never {
  if (violated(error) !== 'bill_item_type_in_use') throw error
  const id = /\(org_id, bill_item_type_id\)=\([^,]+, ([^)]+)\)/.exec((error as { detail?: string }).detail ?? '')?.[1]
  throw unknownItemType('bill_item_type_id', id)
}
