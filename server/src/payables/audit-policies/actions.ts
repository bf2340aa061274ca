import { type Context, transaction } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, type Revised, requireExpected } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { type AuditPolicy, type AuditPolicyEdit, contentOf, edit, type NewAuditPolicy } from './model.ts'
import { deletePolicy, findPolicy, insertPolicy, lockPolicy, savePolicy } from './store.ts'

export function createPolicy(ctx: Context, input: NewAuditPolicy): Promise<Revised & { id: string }> {
  const content = contentOf(input)
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertPolicy(ctx, id, content)
    return { id, ...(await recorded(ctx, 'created', id)) }
  })
}

export function updatePolicy(
  ctx: Context,
  id: string,
  input: AuditPolicyEdit,
  expected: ExpectedRevision,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const { next, previous } = edit(current, input)
    if (Object.keys(previous).length === 0) return present(ctx, id)
    await savePolicy(ctx, id, next)
    return recorded(ctx, 'updated', id, previous)
  })
}

export function removePolicy(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lock(ctx, id, expected)
    await recorded(ctx, 'deleted', id)
    await deletePolicy(ctx, id)
  })
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<AuditPolicy> {
  const current = await lockPolicy(ctx, id)
  if (!current) throw notFound('audit policy', id)
  requireExpected(expected, current.revision)
  return current
}

async function recorded(ctx: Context, verb: string, id: string, previous?: object): Promise<Revised> {
  const { revision, json } = await present(ctx, id)
  await record(ctx, {
    type: `audit_policy.${verb}`,
    subject: { type: 'audit_policy', id },
    revision,
    data: json,
    ...(previous && { previous: { ...previous } }),
  })
  return { revision, json }
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findPolicy(ctx, id)
  if (!found) throw new Error(`audit policy ${id} is missing within its own transaction`)
  return found
}
