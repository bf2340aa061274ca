import { actorId } from '../../access/acting/acting.ts'
import { type Context, transaction } from '../../context.ts'
import { notFound } from '../../core/refusal.ts'
import { type ExpectedRevision, type Revised, requireExpected } from '../../core/schema/revisions.ts'
import { newId } from '../../core/values/ids.ts'
import { record } from '../../events/record.ts'
import { contentOf, type DocumentRule, type DocumentRuleEdit, edit, type NewDocumentRule } from './model.ts'
import { deleteRule, findRule, insertRule, lockRule, saveRule } from './store.ts'

export function createRule(ctx: Context, input: NewDocumentRule): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertRule(ctx, id, contentOf(input), await actorId(ctx))
    const made = await present(ctx, id)
    await record(ctx, {
      type: 'document_rule.created',
      subject: { type: 'document_rule', id },
      revision: made.revision,
      data: made.json,
    })
    return { id, ...made }
  })
}

export function updateRule(
  ctx: Context,
  id: string,
  input: DocumentRuleEdit,
  expected: ExpectedRevision,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const { next, previous } = edit(await lock(ctx, id, expected), input)
    if (Object.keys(previous).length === 0) return present(ctx, id)
    await saveRule(ctx, id, next)
    const updated = await present(ctx, id)
    await record(ctx, {
      type: 'document_rule.updated',
      subject: { type: 'document_rule', id },
      revision: updated.revision,
      data: updated.json,
      previous,
    })
    return updated
  })
}

export function removeRule(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    await deleteRule(ctx, id)
    await record(ctx, {
      type: 'document_rule.deleted',
      subject: { type: 'document_rule', id },
      revision: current.revision,
      data: JSON.stringify(current),
    })
  })
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<DocumentRule> {
  const current = await lockRule(ctx, id)
  if (!current) throw notFound('document rule', id)
  requireExpected(expected, current.revision)
  return current
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findRule(ctx, id)
  if (!found) throw new Error(`document rule ${id} is missing within its own transaction`)
  return found
}
