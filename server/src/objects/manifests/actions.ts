import type { NewBill } from '../../billing/bills/kind.ts'
import { createBill, presentBill } from '../../billing/settling/bills.ts'
import { type Context, transaction } from '../../context.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { record } from '../../events/record.ts'
import { lock } from '../actions.ts'
import { findObject, type ObjectReference } from '../find.ts'
import { findBillOf } from './billed.ts'
import { billFor, itemsOf } from './model.ts'
import { findCircumstances, insertManifestBill } from './store.ts'

export type Billed = Revised & { id: string; created: boolean }

/** Makes the carrier's bill, once: whoever asks again is shown the bill there is. `beside` is what the bill says that the manifest does not know. */
export function billManifest(
  ctx: Context,
  reference: ObjectReference,
  expected: Expected,
  permit: (objectKey: string) => void,
  beside: NewBill = {},
): Promise<Billed> {
  return transaction(ctx, async (ctx) => {
    const { locked } = await lock(ctx, reference, { permit })
    requireExpected(expected, locked.version)
    const known = await findBillOf(ctx, locked.id)
    if (known !== undefined) return { id: known, created: false, ...(await presentBill(ctx, known)) }
    const { id } = locked
    const { json } = locked.content
    const circumstances = await findCircumstances(
      ctx,
      json,
      itemsOf(json).map(({ type }) => type),
    )
    const { id: bill, revision, json: answer } = await createBill(ctx, { ...billFor(id, json, circumstances), ...beside })
    await insertManifestBill(ctx, id, bill)
    const manifest = await findObject(ctx, { by: 'id', id })
    await record(ctx, { type: 'manifest.billed', subject: { type: 'manifest', id }, revision: locked.version, data: manifest?.json as string })
    return { id: bill, created: true, revision, json: answer }
  })
}
