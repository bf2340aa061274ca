import { actorId } from '../../platform/access/acting/acting.ts'
import { requireRight, rightsOfRole } from '../../platform/access/roles.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { invalid, notFound, quote } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { normalDate, normalId } from '../documents/model/fields/normal.ts'
import type { ApprovalDelegation, NewApprovalDelegation } from './rules/model.ts'
import { deleteDelegation, findDelegation, insertDelegation, listRoles } from './rules/rules-store.ts'

/** The caller lets somebody approve in their place; only an admin does so for somebody else. */
export function createDelegation(ctx: Context, input: NewApprovalDelegation): Promise<WireRecord & { id: string }> {
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
    const created = await readBackDelegation(ctx, id)
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

export function requireApprover(field: string, id: string, role: string | undefined): void {
  if (role === undefined)
    throw invalid(field, 'unknown_user', `"${field}": there is no enabled user ${quote(id)} in this organization.`)
  if (!rightsOfRole(role).has('approve'))
    throw invalid(
      field,
      'cannot_approve',
      `"${field}": the user ${id} has the role ${role}, which does not allow to approve.`,
    )
}

async function readBackDelegation(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findDelegation(ctx, id)
  if (!found) throw new Error(`approval delegation ${id} is missing within its own transaction`)
  return found
}
