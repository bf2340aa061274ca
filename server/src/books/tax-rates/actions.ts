import { type Context, transaction } from '../../platform/context.ts'
import { conflict, notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, type Revised, requireExpected } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { contentOf, edit, type NewTaxRate, type TaxRate, type TaxRateEdit } from './model.ts'
import { deleteTaxRate, findTaxRate, insertTaxRate, isCarried, lockTaxRate, saveTaxRate } from './store.ts'

export function createTaxRate(ctx: Context, input: NewTaxRate): Promise<Revised & { id: string }> {
  const content = contentOf(input)
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertTaxRate(ctx, id, content)
    const created = await present(ctx, id)
    await record(ctx, {
      type: 'tax_rate.created',
      subject: { type: 'tax_rate', id },
      revision: created.revision,
      data: created.json,
    })
    return { id, ...created }
  })
}

/** What lines carry keeps its percent: otherwise a change of a note would change the tax of a bill of last year. */
export function updateTaxRate(
  ctx: Context,
  id: string,
  input: TaxRateEdit,
  expected: ExpectedRevision,
  lineTables: readonly string[],
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const { next, previous } = edit(current, input)
    if (Object.keys(previous).length === 0) return present(ctx, id)
    if (('percent' in previous || 'components' in previous) && (await isCarried(ctx, id, lineTables)))
      throw conflict(
        'tax_rate_in_use',
        'Lines carry this tax rate, so its percent and its components are fixed. Make another rate, and set "active" of this one to false.',
      )
    await saveTaxRate(ctx, id, next)
    const updated = await present(ctx, id)
    await record(ctx, {
      type: 'tax_rate.updated',
      subject: { type: 'tax_rate', id },
      revision: updated.revision,
      data: updated.json,
      previous,
    })
    return updated
  })
}

export function removeTaxRate(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
  lineTables: readonly string[],
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    if (await isCarried(ctx, id, lineTables))
      throw conflict(
        'in_use',
        'Lines carry this tax rate, so it cannot be deleted. Set "active" to false to keep it from new lines.',
      )
    await deleteTaxRate(ctx, id)
    await record(ctx, {
      type: 'tax_rate.deleted',
      subject: { type: 'tax_rate', id },
      revision: current.revision,
      data: JSON.stringify(current),
    })
  })
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<TaxRate> {
  const current = await lockTaxRate(ctx, id)
  if (!current) throw notFound('tax rate', id)
  requireExpected(expected, current.revision)
  return current
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findTaxRate(ctx, id)
  if (!found) throw new Error(`tax rate ${id} is missing within its own transaction`)
  return found
}
