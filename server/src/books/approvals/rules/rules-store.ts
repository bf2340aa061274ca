import type { Context } from '../../../platform/context.ts'
import { conflict, invalid, quote } from '../../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { Revised } from '../../../platform/core/schema/revisions.ts'
import { andChanged, andWithin } from '../../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { sql, when } from '../../../platform/db/sql/sql.ts'
import type {
  ApprovalDelegation,
  ApprovalDelegationSearch,
  ApprovalRule,
  ApprovalRuleSearch,
  Content,
} from './model.ts'

export async function listRules(ctx: Context, search: ApprovalRuleSearch): Promise<string> {
  const { active } = search
  const page = pageOf('approval_rules', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'approval_rules', search)} ${when(active !== undefined, sql`and is_active = ${active}`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from approval_rules where ${filter})`,
      rows: sql`from approval_rules_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('approval_rules', found ?? nothingFound, page)
}

export async function findRule(ctx: Context, id: string): Promise<Revised | undefined> {
  const [row] = await ctx.run<Revised>(
    sql`select revision, json from approval_rules_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function lockRule(ctx: Context, id: string): Promise<ApprovalRule | undefined> {
  const locked = await ctx.run(sql`select id from approval_rules where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findRule(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

export async function insertRule(ctx: Context, id: string, rule: Content): Promise<void> {
  await ctx
    .run(
      sql`insert into approval_rules (org_id, id, name, is_active, min_amount, currency_id, partner_carrier_id, bill_item_type_id, approver_user_ids, approver_role, needed_approvals)
      values (${ctx.org}, ${id}, ${rule.name}, ${rule.is_active}, ${rule.min_amount}, ${rule.currency_id}, ${rule.partner_carrier_id}, ${rule.bill_item_type_id},
        ${rule.approver_user_ids}, ${rule.approver_role}, ${rule.needed_approvals})`,
    )
    .catch(refusing(rule))
}

export async function saveRule(ctx: Context, id: string, rule: Content): Promise<void> {
  await ctx
    .run(
      sql`update approval_rules set name = ${rule.name}, is_active = ${rule.is_active}, min_amount = ${rule.min_amount}, currency_id = ${rule.currency_id},
        partner_carrier_id = ${rule.partner_carrier_id}, bill_item_type_id = ${rule.bill_item_type_id}, approver_user_ids = ${rule.approver_user_ids},
        approver_role = ${rule.approver_role}, needed_approvals = ${rule.needed_approvals}, revision = revision + 1, updated_at = statement_timestamp()
      where org_id = ${ctx.org} and id = ${id}`,
    )
    .catch(refusing(rule))
}

export async function deleteRule(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from approval_rules where org_id = ${ctx.org} and id = ${id}`)
}

/** The roles of those of these users who are there and enabled. */
export async function listRoles(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.run<{ id: string; role: string }>(
    sql`select id, role from users where org_id = ${ctx.org} and id = any(${ids}::uuid[]) and disabled_at is null`,
  )
  return new Map(rows.map(({ id, role }) => [id, role]))
}

function refusing({ name, currency_id, bill_item_type_id }: Content) {
  return (error: unknown): never => {
    switch (violatedConstraint(error)) {
      case 'approval_rule_name':
        throw conflict('name_taken', `There is an approval rule called ${quote(name)} already.`, [
          { field: 'name', code: 'taken', message: 'The name of an approval rule is unique in the organization.' },
        ])
      case 'approval_rule_currency':
        throw invalid(
          'currency_id',
          'unknown_currency',
          `${quote(currency_id)} is not the lower-case code of an ISO 4217 currency, such as "usd".`,
        )
      case 'approval_rule_bill_item_type':
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

export async function listDelegations(ctx: Context, search: ApprovalDelegationSearch): Promise<string> {
  const page = pageOf('approval_delegations', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org} ${andWithin(search, sql`created_at`)} ${when(search.current, sql`and ends_at > statement_timestamp()`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from approval_delegations where ${filter})`,
      rows: sql`from approval_delegations_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('approval_delegations', found ?? nothingFound, page)
}

export async function findDelegation(ctx: Context, id: string): Promise<Revised | undefined> {
  const [row] = await ctx.run<Revised>(
    sql`select revision, json from approval_delegations_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

type NewDelegation = Pick<
  ApprovalDelegation,
  'id' | 'from_user_id' | 'to_user_id' | 'starts_at' | 'ends_at' | 'created_by'
>

export async function insertDelegation(ctx: Context, delegation: NewDelegation): Promise<void> {
  const { id, from_user_id, to_user_id, starts_at, ends_at, created_by } = delegation
  await ctx.run(sql`insert into approval_delegations (org_id, id, from_user_id, to_user_id, starts_at, ends_at, created_by)
    values (${ctx.org}, ${id}, ${from_user_id}, ${to_user_id}, ${starts_at}, ${ends_at}, ${created_by})`)
}

export async function deleteDelegation(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from approval_delegations where org_id = ${ctx.org} and id = ${id}`)
}
