import { type Context, transaction } from '../context.ts'
import { type Expected, type Revised, requireExpected } from '../core/revisions.ts'
import { record } from '../events/record.ts'
import type { ObjectReference } from '../objects/model/object.ts'
import { lock, present } from '../objects/single/actions.ts'
import { makeBill, type NewBill, readBill } from './bills.ts'
import { billFor, itemsOf } from './model.ts'
import { deleteManifestBill, findCircumstances, insertManifestBill, listBills } from './store.ts'

export type Billed = Revised & { id: string; created: boolean }

/** Creates the carrier's bill, once: later calls answer that bill. `extra` is what the bill has that the manifest does not know. */
export function billManifest(
  ctx: Context,
  reference: ObjectReference,
  expected: Expected,
  permit: (objectKey: string) => void,
  extra: NewBill = {},
): Promise<Billed> {
  return transaction(ctx, async (ctx) => {
    const { locked } = await lock(ctx, reference, { permit })
    requireExpected(expected, locked.version)
    const { id, content } = locked
    const [known] = await listBills(ctx, [id])
    const bill = known && (await readBill(ctx, known.bill_id))
    if (bill && !isVoided(bill)) return { id: known.bill_id, created: false, ...bill }
    // A bill that was voided makes room for another.
    if (bill) await deleteManifestBill(ctx, id)
    const circumstances = await findCircumstances(
      ctx,
      content.json,
      itemsOf(content.json).map(({ type }) => type),
    )
    const made = await makeBill(ctx, { ...billFor(id, content.json, circumstances), ...extra })
    await insertManifestBill(ctx, id, made.id)
    const { json } = await present(ctx, id)
    await record(ctx, { type: 'manifest.billed', subject: { type: 'manifest', id }, revision: locked.version, data: json })
    return { id: made.id, created: true, revision: made.revision, json: made.json }
  })
}

function isVoided({ json }: Revised): boolean {
  return JSON.parse(json).bill.voided_at !== null
}
