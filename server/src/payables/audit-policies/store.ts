import type { Context } from '../../platform/context.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { Revised } from '../../platform/core/schema/revisions.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import { type AuditPolicy, type AuditPolicySearch, type Content, policyTaken } from './model.ts'

export async function listPolicies(ctx: Context, search: AuditPolicySearch): Promise<string> {
  const page = pageOf('audit_policies', search, keyTypesOf(newestFirst))
  const carrier = search.partner_carrier_id
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'audit_policies', search)} ${when(carrier, sql`and partner_carrier_id = ${carrier}`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from audit_policies where ${filter})`,
      rows: sql`from audit_policies_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('audit_policies', found ?? nothingFound, page)
}

export async function findPolicy(ctx: Context, id: string): Promise<Revised | undefined> {
  const [row] = await ctx.run<Revised>(
    sql`select revision, json from audit_policies_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function lockPolicy(ctx: Context, id: string): Promise<AuditPolicy | undefined> {
  const locked = await ctx.run(sql`select id from audit_policies where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findPolicy(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

/** Every policy of the organization: there are few. */
export async function listAll(ctx: Context): Promise<AuditPolicy[]> {
  const rows = await ctx.run<{ json: string }>(sql`select json from audit_policies_wire where org_id = ${ctx.org}`)
  return rows.map(({ json }) => JSON.parse(json))
}

export async function insertPolicy(ctx: Context, id: string, policy: Content): Promise<void> {
  await ctx
    .run(
      sql`insert into audit_policies (org_id, id, partner_carrier_id, bill_item_type_id, over_percent, over_amount, under_percent, under_amount, approve_automatically,
          check_delivery, check_pod)
        values (${ctx.org}, ${id}, ${policy.partner_carrier_id}, ${policy.bill_item_type_id}, ${policy.over_percent}, ${policy.over_amount}, ${policy.under_percent},
          ${policy.under_amount}, ${policy.approve_automatically}, ${policy.check_delivery}, ${policy.check_pod})`,
    )
    .catch(refusing(policy))
}

export async function savePolicy(ctx: Context, id: string, policy: Content): Promise<void> {
  await ctx
    .run(
      sql`update audit_policies set partner_carrier_id = ${policy.partner_carrier_id}, bill_item_type_id = ${policy.bill_item_type_id}, over_percent = ${policy.over_percent},
        over_amount = ${policy.over_amount}, under_percent = ${policy.under_percent}, under_amount = ${policy.under_amount},
        approve_automatically = ${policy.approve_automatically}, check_delivery = ${policy.check_delivery}, check_pod = ${policy.check_pod}, revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`,
    )
    .catch(refusing(policy))
}

export async function deletePolicy(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from audit_policies where org_id = ${ctx.org} and id = ${id}`)
}

function refusing({ bill_item_type_id }: Content) {
  return (error: unknown): never => {
    switch (violatedConstraint(error)) {
      case 'audit_policies_of_whom':
        throw policyTaken()
      case 'audit_policy_type':
        throw invalid(
          'bill_item_type_id',
          'unknown_bill_item_type',
          `There is no bill item type ${quote(bill_item_type_id)} in this organization.`,
        )
      default:
        throw error
    }
  }
}

export type PastInvoice = {
  partner_carrier_id: string | null
  currency_id: string
  total_amount: number
  comparison: unknown
}

/** The audited invoices of the last days behind one of them, in the order of their ids. */
export async function listPast(
  ctx: Context,
  days: number,
  after: string | null,
  limit: number,
): Promise<(PastInvoice & { id: string })[]> {
  return ctx.run<PastInvoice & { id: string }>(sql`
    select id, partner_carrier_id, currency_id, total_amount::float8 as total_amount, comparison from carrier_invoices
    where org_id = ${ctx.org} and created_at >= statement_timestamp() - make_interval(days => ${days}::int) and audited_at is not null and manifest_ids <> '{}'
      ${when(after, sql`and id > ${after}`)} order by id limit ${limit}`)
}
