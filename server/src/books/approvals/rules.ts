import { actorId } from '../../platform/access/acting/acting.ts'
import { requireRight, rightsOfRole } from '../../platform/access/roles.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { invalid, notFound, quote } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, type Revised, requireExpected } from '../../platform/core/schema/revisions.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { normalDate, normalId } from '../documents/model/fields/normal.ts'
import { rejudgeSoon } from './rejudging.ts'
import {
  type ApprovalDelegation,
  type ApprovalRule,
  type ApprovalRuleEdit,
  type Content,
  contentOfNew,
  edit,
  type NewApprovalDelegation,
  type NewApprovalRule,
} from './rules/model.ts'
import {
  deleteDelegation,
  deleteRule,
  findDelegation,
  findRule,
  insertDelegation,
  insertRule,
  listRoles,
  lockRule,
  saveRule,
} from './rules/rules-store.ts'

export function createRule(ctx: Context, input: NewApprovalRule): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    const content = await sound(ctx, contentOfNew(input))
    await insertRule(ctx, id, content)
    const created = await presentRule(ctx, id)
    await record(ctx, {
      type: 'approval_rule.created',
      subject: { type: 'approval_rule', id },
      revision: created.revision,
      data: created.json,
    })
    await rejudgeSoon(ctx)
    return { id, ...created }
  })
}

export function updateRule(
  ctx: Context,
  id: string,
  input: ApprovalRuleEdit,
  expected: ExpectedRevision,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const { next, previous } = edit(await lock(ctx, id, expected), input)
    if (Object.keys(previous).length === 0) return presentRule(ctx, id)
    await saveRule(ctx, id, await sound(ctx, next))
    const updated = await presentRule(ctx, id)
    await record(ctx, {
      type: 'approval_rule.updated',
      subject: { type: 'approval_rule', id },
      revision: updated.revision,
      data: updated.json,
      previous,
    })
    await rejudgeSoon(ctx)
    return updated
  })
}

export function removeRule(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    await deleteRule(ctx, id)
    await record(ctx, {
      type: 'approval_rule.deleted',
      subject: { type: 'approval_rule', id },
      revision: current.revision,
      data: JSON.stringify(current),
    })
    await rejudgeSoon(ctx)
  })
}

/** The caller lets somebody approve in their place; only an admin does so for somebody else. */
export function createDelegation(ctx: Context, input: NewApprovalDelegation): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const caller = await actorId(ctx)
    const from_user_id = normalId(input.from_user_id ?? caller) as string
    const to_user_id = normalId(input.to_user_id) as string
    if (from_user_id !== caller) requireRight(ctx, 'administer')
    const starts_at = normalDate(input.starts_at, 'starts_at') ?? toWire(new Date())
    const ends_at = normalDate(input.ends_at, 'ends_at', 'end') as string
    if (ends_at <= starts_at)
      throw invalid(
        'ends_at',
        'ends_before_it_starts',
        `"ends_at" is ${ends_at}, which is not after "starts_at", ${starts_at}.`,
      )
    if (from_user_id === to_user_id)
      throw invalid(
        'to_user_id',
        'same_user',
        '"to_user_id" must be another user than the one whose approvals are delegated.',
      )
    const roles = await listRoles(ctx, [from_user_id, to_user_id])
    for (const [field, id] of [['from_user_id', from_user_id] as const, ['to_user_id', to_user_id] as const])
      requireApprover(field, id, roles.get(id))
    const id = newId()
    await insertDelegation(ctx, { id, from_user_id, to_user_id, starts_at, ends_at, created_by: caller })
    const created = await presentDelegation(ctx, id)
    await record(ctx, {
      type: 'approval_delegation.created',
      subject: { type: 'approval_delegation', id },
      revision: created.revision,
      data: created.json,
    })
    return { id, ...created }
  })
}

/** Ended by who made it or whose approvals they are, or by an admin. */
export function removeDelegation(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const found = await findDelegation(ctx, id)
    if (!found) throw notFound('approval delegation', id)
    requireExpected(expected, found.revision)
    const current = JSON.parse(found.json) as ApprovalDelegation
    if (![current.from_user_id, current.created_by].includes(await actorId(ctx))) requireRight(ctx, 'administer')
    await deleteDelegation(ctx, id)
    await record(ctx, {
      type: 'approval_delegation.deleted',
      subject: { type: 'approval_delegation', id },
      revision: found.revision,
      data: found.json,
    })
  })
}

/** What the fields' schemas cannot say. */
async function sound(ctx: Context, rule: Content): Promise<Content> {
  const next: Content = {
    ...rule,
    currency_id: rule.currency_id?.toLowerCase() ?? null,
    partner_carrier_id: normalId(rule.partner_carrier_id),
    bill_item_type_id: normalId(rule.bill_item_type_id),
    approver_user_ids: rule.approver_user_ids && [...new Set(rule.approver_user_ids.map((id) => id.toLowerCase()))],
  }
  if ((next.min_amount === null) !== (next.currency_id === null))
    throw invalid(
      'currency_id',
      'currency_required',
      '"min_amount" and "currency_id" belong together: send both, or neither.',
    )
  if (next.approver_user_ids && next.approver_role)
    throw invalid(
      'approver_role',
      'two_kinds_of_approvers',
      'Name who may approve by "approver_user_ids" or by "approver_role", not by both.',
    )
  if (next.approver_role && !rightsOfRole(next.approver_role).has('approve'))
    throw invalid('approver_role', 'cannot_approve', `The role ${next.approver_role} does not allow to approve.`)
  const roles = next.approver_user_ids ? await listRoles(ctx, next.approver_user_ids) : new Map()
  for (const id of next.approver_user_ids ?? []) requireApprover('approver_user_ids', id, roles.get(id))
  if (next.approver_user_ids && next.approver_user_ids.length < next.needed_approvals)
    throw invalid('needed_approvals', 'too_few_approvers', 'Fewer people are named than have to approve.')
  return next
}

function requireApprover(field: string, id: string, role: string | undefined): void {
  if (role === undefined)
    throw invalid(field, 'unknown_user', `"${field}": there is no enabled user ${quote(id)} in this organization.`)
  if (!rightsOfRole(role).has('approve'))
    throw invalid(
      field,
      'cannot_approve',
      `"${field}": the user ${id} has the role ${role}, which does not allow to approve.`,
    )
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<ApprovalRule> {
  const current = await lockRule(ctx, id)
  if (!current) throw notFound('approval rule', id)
  requireExpected(expected, current.revision)
  return current
}

async function presentRule(ctx: Context, id: string): Promise<Revised> {
  const found = await findRule(ctx, id)
  if (!found) throw new Error(`approval rule ${id} is missing within its own transaction`)
  return found
}

async function presentDelegation(ctx: Context, id: string): Promise<Revised> {
  const found = await findDelegation(ctx, id)
  if (!found) throw new Error(`approval delegation ${id} is missing within its own transaction`)
  return found
}
