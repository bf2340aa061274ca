import type { Context } from '../../platform/context.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { join, named, sql } from '../../platform/db/sql/sql.ts'
import { type Content, type Organization, policyNames, unknownTimeZone } from './model.ts'

export async function findOrganization(ctx: Context): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(sql`
    select revision, left(json, -1) || ',"has_logo":' || exists (select from organization_logos where org_id = ${ctx.org})::text || '}' as json
    from organizations_wire where org_id = ${ctx.org}`)
  return row
}

export async function lockOrganization(ctx: Context): Promise<Organization | undefined> {
  // Not `for update`: every event refers to the organization, and would wait for that.
  const locked = await ctx.run(sql`select from organizations where org_id = ${ctx.org} for no key update`)
  const found = locked.length > 0 ? await findOrganization(ctx) : undefined
  return found && JSON.parse(found.json)
}

export async function saveOrganization(ctx: Context, next: Content): Promise<void> {
  const { name, address, home_currency_id, time_zone } = next
  const policies = policyNames.map((policy) => sql`${named(policy)} = ${next[policy]}`)
  await ctx
    .run(
      sql`update organizations set name = ${name}, address = ${address && JSON.stringify(address)}::text::jsonb, home_currency_id = ${home_currency_id}, time_zone = ${time_zone},
        ${join(policies, sql`, `)}, revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org}`,
    )
    .catch((error: { code?: string }) => {
      // The check of the time zone fails with this where PostgreSQL does not know the name.
      throw error.code === '22023' ? unknownTimeZone(time_zone) : error
    })
}

/** The term of bills that are saved with none; null for none. */
export async function saveDefaultPayTerm(ctx: Context, id: string | null): Promise<void> {
  const statement =
    id === null
      ? sql`delete from default_pay_terms where org_id = ${ctx.org}`
      : sql`insert into default_pay_terms (org_id, pay_term_id) values (${ctx.org}, ${id}) on conflict (org_id) do update set pay_term_id = excluded.pay_term_id`
  await ctx.run(statement).catch((error) => {
    if (violatedConstraint(error) !== 'default_pay_term_term') throw error
    throw invalid('default_pay_term_id', 'unknown_pay_term', `There is no pay term ${quote(id)} in this organization.`)
  })
}
