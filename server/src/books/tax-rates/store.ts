import type { Context } from '../../platform/context.ts'
import { conflict, quote } from '../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { Revised } from '../../platform/core/schema/revisions.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { join, named, sql, when } from '../../platform/db/sql/sql.ts'
import type { Content, TaxRate, TaxRateSearch } from './model.ts'

export async function listTaxRates(ctx: Context, search: TaxRateSearch): Promise<string> {
  const { search_term, active } = search
  const page = pageOf('tax_rates', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'tax_rates', search)} ${when(search_term, sql`and position(lower(${search_term}) in lower(name)) > 0`)}
    ${when(active !== undefined, sql`and active = ${active}`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from tax_rates where ${filter})`,
      rows: sql`from tax_rates_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('tax_rates', found ?? nothingFound, page)
}

export async function findTaxRate(ctx: Context, id: string): Promise<Revised | undefined> {
  const [row] = await ctx.run<Revised>(
    sql`select revision, json from tax_rates_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

/** Whoever gives a line this rate holds the row against this lock until the line is written. */
export async function lockTaxRate(ctx: Context, id: string): Promise<TaxRate | undefined> {
  const locked = await ctx.run(sql`select id from tax_rates where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findTaxRate(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

/** Whether a line in one of these tables carries the rate. */
export async function isCarried(ctx: Context, id: string, lineTables: readonly string[]): Promise<boolean> {
  const carried = lineTables.map(
    (table) => sql`exists (select from ${named(table)} where tax_rate_id = ${id} and org_id = ${ctx.org})`,
  )
  const [row] = await ctx.run<{ carried: boolean }>(sql`select ${join(carried, sql` or `)} as carried`)
  return row?.carried ?? false
}

export async function insertTaxRate(
  ctx: Context,
  id: string,
  { name, percent, components, active }: Content,
): Promise<void> {
  await ctx
    .run(
      sql`insert into tax_rates (org_id, id, name, percent, components, active)
        values (${ctx.org}, ${id}, ${name}, ${percent}, ${JSON.stringify(components)}::text::jsonb, ${active})`,
    )
    .catch(refusing(name))
}

export async function saveTaxRate(
  ctx: Context,
  id: string,
  { name, percent, components, active }: Content,
): Promise<void> {
  await ctx
    .run(
      sql`update tax_rates set name = ${name}, percent = ${percent}, components = ${JSON.stringify(components)}::text::jsonb, active = ${active},
        revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`,
    )
    .catch(refusing(name))
}

export async function deleteTaxRate(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from tax_rates where org_id = ${ctx.org} and id = ${id}`)
}

function refusing(name: string) {
  return (error: unknown): never => {
    if (violatedConstraint(error) !== 'tax_rate_name') throw error
    throw conflict('name_taken', `There is a tax rate called ${quote(name)} already.`, [
      { field: 'name', code: 'taken', message: 'The name of a tax rate is unique in the organization.' },
    ])
  }
}
