import type { Context } from '../../../platform/context.ts'
import { taxRatesOf } from '../../tax-rates/lookup.ts'
import type { Line, PricedLine, RowLine } from '../model/fields/line-fields.ts'
import type { Shape } from '../model/fields/shape.ts'
import type { LineChanges, SavedLine } from '../model/kind/line-changes.ts'
import { requireTaxRates, taxRateIdsIn, withTaxes } from '../model/kind/line-taxes.ts'

/** The lines of a document with the tax of each. `before` are those that it has; `nameOf` names the field of a line in refusals. */
export async function taxLines<L extends PricedLine>(
  ctx: Context,
  lines: readonly L[],
  before: readonly PricedLine[],
  nameOf: (index: number) => string,
): Promise<L[]> {
  const rates = await taxRatesOf(ctx, taxRateIdsIn(lines))
  requireTaxRates(lines, rates, before, nameOf)
  return withTaxes(lines, rates)
}

/** The changes of an update with the taxes of all lines: where the rounding falls on another line, that one is saved too. */
export async function taxChanges(
  ctx: Context,
  { lines }: Shape,
  changes: LineChanges,
  sent: readonly { id?: string | null }[],
): Promise<LineChanges> {
  const { before } = changes
  const after = await taxLines(
    ctx,
    changes.after,
    before,
    (index) => `${lines.plural}[${placeOf(index, before, sent)}].tax_rate_id`,
  )
  const changed = new Set(changes.saved.map(({ id }) => id))
  const saved = before.flatMap((line, index): SavedLine[] => {
    const next = { ...(after[index] as PricedLine), id: line.id }
    return changed.has(line.id) || next.tax_amount !== line.tax_amount ? [next] : []
  })
  return { before, after, saved, added: after.slice(before.length) }
}

/** Where in the body the line stands: one that was there by its id, and a new one by its place among those without an id. */
function placeOf(index: number, before: readonly Line[], sent: readonly { id?: string | null }[]): number {
  const there = before[index]
  if (there) return sent.findIndex(({ id }) => id?.toLowerCase() === there.id)
  const added = sent.flatMap(({ id }, place) => (id ? [] : [place]))
  return added[index - before.length] ?? -1
}

/** Those of the lines that were there before whose tax is another now. */
export function linesTaxedAnew(before: readonly Line[], after: readonly RowLine[]): SavedLine[] {
  const taxes = new Map(before.map(({ id, tax_amount }) => [id, tax_amount]))
  return after.filter((line): line is SavedLine => line.id !== undefined && taxes.get(line.id) !== line.tax_amount)
}
