import { type Context, together, transaction } from '../../../platform/context.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import { dateOf } from '../model/guarded-dates.ts'
import { homeFields, isDraft, noHomeCurrency } from '../model/home-amount.ts'
import { type Kind, parentOf } from '../model/kind/kind.ts'
import { saveDocuments } from '../store/bulk-store.ts'
import { recordEvents } from '../store/history-store.ts'
import { readBack } from './actions.ts'
import { homeAmountOf } from './home-amounts.ts'
import { lockExpected } from './locks.ts'

/**
 * Gives a document the rate that is known for its date now, and its payments what they gained or lost over it. Nothing else of it changes, so it may be sent,
 * or on a statement.
 */
export function repriceDocument(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { document, home } = await lockExpected(ctx, kind, reference, expected)
    if (document.status_id === 'draft') throw isDraft(kind.noun)
    if (document.exchange_rate !== null && document.amount_paid !== 0)
      throw conflict(
        'has_payments',
        `What was paid of this ${kind.noun} was compared with its exchange rate, so that stays. Void its payments first.`,
      )
    if (home === null) throw noHomeCurrency()
    const amount = await homeAmountOf(ctx, kind, document, home, { required: true })
    const changed = homeFields.filter((field) => document[field] !== amount[field])
    if (changed.length === 0) return readBack(ctx, kind, document.id)
    const previous = Object.fromEntries(changed.map((field) => [field, document[field]]))
    const after = { ...document, ...amount }
    await together(
      saveDocuments(ctx, kind, [{ ...after, new_number: null }]),
      recordEvents(ctx, kind, [{ type: `${kind.noun}.repriced`, id: document.id, previous }]),
      requireOpenPeriods(ctx, [dateOf(kind, document)]),
    )
    if (document.amount_paid !== 0) await kind.paying?.settleGains(ctx, document)
    if (parentOf(kind, document) !== null)
      await kind.parent?.afterChange(ctx, { before: document, after, contentChanged: false })
    return readBack(ctx, kind, document.id)
  })
}
