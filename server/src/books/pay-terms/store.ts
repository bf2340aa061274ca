import type { Context } from '../../platform/context.ts'
import { conflict, quote } from '../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { Revised } from '../../platform/core/schema/revisions.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import type { Content, PayTerm, PayTermSearch } from './model.ts'

export async function listPayTerms(ctx: Context, search: PayTermSearch): Promise<string> {
  const page = pageOf('pay_terms', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'pay_terms', search)} ${when(search.search_term, sql`and position(lower(${search.search_term}) in lower(name)) > 0`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from pay_terms where ${filter})`,
      rows: sql`from pay_terms_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('pay_terms', found ?? nothingFound, page)
}

export async function findPayTerm(ctx: Context, id: string): Promise<Revised | undefined> {
  const [row] = await ctx.run<Revised>(
    sql`select revision, json from pay_terms_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function findDays(ctx: Context, id: string): Promise<number | undefined> {
  const [row] = await ctx.run<{ days: number }>(
    sql`select number_of_days as days from pay_terms where org_id = ${ctx.org} and id = ${id}`,
  )
  return row?.days
}

export async function lockPayTerm(ctx: Context, id: string): Promise<PayTerm | undefined> {
  const locked = await ctx.run(sql`select id from pay_terms where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findPayTerm(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

export async function insertPayTerm(
  ctx: Context,
  id: string,
  { name, number_of_days, connector_mappings, discount_days, discount_percent }: Content,
): Promise<void> {
  await ctx
    .run(
      sql`insert into pay_terms (org_id, id, name, number_of_days, discount_days, discount_percent)
        values (${ctx.org}, ${id}, ${name}, ${number_of_days}, ${discount_days}, ${discount_percent}::numeric)`,
    )
    .catch(refuse(name))
  await replaceMappings(ctx, id, connector_mappings)
}

export async function savePayTerm(
  ctx: Context,
  id: string,
  { name, number_of_days, connector_mappings, discount_days, discount_percent }: Content,
): Promise<void> {
  await ctx
    .run(
      sql`update pay_terms set name = ${name}, number_of_days = ${number_of_days}, discount_days = ${discount_days},
        discount_percent = ${discount_percent}::numeric, revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`,
    )
    .catch(refuse(name))
  await replaceMappings(ctx, id, connector_mappings)
}

export async function deletePayTerm(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from pay_terms where org_id = ${ctx.org} and id = ${id}`).catch(refuse(''))
}

async function replaceMappings(ctx: Context, id: string, mappings: Record<string, string>): Promise<void> {
  await ctx.run(sql`delete from pay_term_connector_mappings where org_id = ${ctx.org} and pay_term_id = ${id}`)
  await ctx.run(sql`
    insert into pay_term_connector_mappings (org_id, pay_term_id, connector_id, vendor_pay_term_id)
    select own.org_id, ${id}::uuid, connector, term
    from organizations own cross join unnest(${Object.keys(mappings)}::text[], ${Object.values(mappings)}::text[]) as m(connector, term) where own.org_id = ${ctx.org}`)
}

function refuse(name: string) {
  return (error: unknown): never => {
    switch (violatedConstraint(error)) {
      case 'pay_term_name':
        throw conflict('name_taken', `There is a pay term called ${quote(name)} already.`, [
          { field: 'name', code: 'taken', message: 'The name of a pay term is unique in the organization.' },
        ])
      case 'bill_pay_term':
      case 'consolidated_bill_pay_term':
      case 'invoice_pay_term':
      case 'credit_pay_term':
        throw conflict('in_use', 'This pay term is used by bills or invoices, so it cannot be deleted.')
      case 'default_pay_term_term':
        throw conflict(
          'in_use',
          'This pay term is the default of the organization, so it cannot be deleted. Choose another default first.',
        )
      default:
        throw error
    }
  }
}
