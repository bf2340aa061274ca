import { type Context, transaction } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { record } from '../../platform/events/record.ts'
import { requireCurrencies } from '../currencies/known.ts'
import { type Content, edit, type OrganizationEdit } from './model.ts'
import { findOrganization, lockOrganization, saveDefaultPayTerm, saveOrganization } from './store.ts'

export async function readOrganization(ctx: Context): Promise<WireRecord> {
  const found = await findOrganization(ctx)
  if (!found) throw notFound('organization', ctx.org)
  return found
}

/** Called in the transaction of an update, with what the changed settings were. */
export type AfterUpdate = (ctx: Context, previous: Partial<Content>) => Promise<void>

export function updateOrganization(
  ctx: Context,
  input: OrganizationEdit,
  expected: ExpectedRevision,
  afterwards: readonly AfterUpdate[] = [],
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockOrganization(ctx)
    if (!current) throw notFound('organization', ctx.org)
    requireExpected(expected, current.revision)
    if (input.home_currency_id) await requireCurrencies(ctx, [input.home_currency_id], 'home_currency_id')
    const { next, previous } = edit(current, input)
    if (Object.keys(previous).length === 0) return readOrganization(ctx)
    await saveOrganization(ctx, next)
    if ('default_pay_term_id' in previous) await saveDefaultPayTerm(ctx, next.default_pay_term_id)
    const updated = await readOrganization(ctx)
    await record(ctx, {
      ...{ type: 'organization.updated', subject: { type: 'organization', id: ctx.org } },
      ...{ revision: updated.revision, data: updated.json, previous },
    })
    for (const after of afterwards) await after(ctx, previous)
    return updated
  })
}
