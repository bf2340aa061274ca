import type { Context } from '../../../platform/context.ts'
import type { Duplicates } from '../../documents/model/kind/kind.ts'
import type { Bill } from '../kind.ts'
import { duplicateBill } from './model.ts'
import { carrierNumber } from './numbers.ts'
import { findSame, type SameBill, saveHeld, saveNumbers } from './store.ts'

/** What the machinery of documents asks about bills that are there already, under the policy of the organization. */
export const duplicatesOfBills: Duplicates<Bill> = {
  concerns: (before, next) =>
    before?.reference_number !== next.reference_number || before?.partner_carrier_id !== next.partner_carrier_id,

  async findAll(ctx, asked) {
    const numbered = asked.filter(({ next }) => isNumbered(next))
    if (numbered.length === 0) return { refusals: new Map(), others: new Map(), holds: false }
    const { policy, same } = await findSame(
      ctx,
      numbered.map(({ next }) => next),
    )
    const others = Map.groupBy([...same, ...sameAmong(policy === 'off' ? [] : numbered)], ({ of }) => of)
    const refused = policy === 'refuse' ? numbered.filter(({ next, allowed }) => !allowed && others.has(next.id)) : []
    return {
      refusals: new Map(
        refused.map(({ next }) => [next.id, duplicateBill(others.get(next.id) as SameBill[], next.reference_number)]),
      ),
      others: new Map([...others].map(([id, found]) => [id, found.map((one) => one.id)])),
      holds: policy === 'refuse',
    }
  },

  async hold(ctx: Context, written, { others, holds }) {
    const without = written.filter(({ next, isNew }) => !isNew && !isNumbered(next))
    await saveNumbers(
      ctx,
      written.map(({ next }) => next).filter(isNumbered),
      without.map(({ next }) => next.id),
    )
    const changed = written.filter(({ isNew }) => holds || !isNew).map(({ next }) => next)
    if (changed.length === 0) return
    const held = holds ? changed.filter((next) => isNumbered(next) && !others.has(next.id)) : []
    await saveHeld(
      ctx,
      changed.map(({ id }) => id),
      held.map(({ id }) => id),
    )
  },
}

function isNumbered({ partner_carrier_id, reference_number }: Bill): boolean {
  return partner_carrier_id !== null && reference_number !== null && carrierNumber(reference_number) !== null
}

/** The rows of one request that have the carrier and number of a row before them, which none of them finds in the table yet. */
function sameAmong(asked: readonly { next: Bill }[]): SameBill[] {
  const first = new Map<string, Bill>()
  return asked.flatMap(({ next }) => {
    const key = `${next.partner_carrier_id} ${carrierNumber(next.reference_number as string)}`
    const before = first.get(key)
    if (!before) first.set(key, next)
    return before ? [{ of: next.id, id: before.id, number: before.number }] : []
  })
}
