import type { OriginHooks } from '../../books/documents/writing/origins.ts'
import { actorId } from '../../platform/access/acting/acting.ts'
import type { Context } from '../../platform/context.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import { collision } from '../../platform/db/pool/away.ts'
import { auditInvoices } from './audit.ts'
import { findBilledBy, lockBilledBy } from './received/bills-store.ts'
import { readBack } from './received/creating.ts'
import type { CarrierInvoice } from './received/model.ts'
import { recordInvoices, saveDecided, saveReopened } from './received/store.ts'

/** A carrier's invoice goes where its bill goes: without one it can be decided about again. */
export const carrierInvoicesOfBills: OriginHooks = {
  notes: {
    ofVoiding: ' The carrier invoice that it was made from can be decided about again, and is audited anew.',
    ofCorrecting: ' The carrier invoice that it was made from names the draft as its bill.',
  },
  async lock(ctx, reference) {
    const locked = await lockBilledBy(ctx, reference)
    let reopened: string | undefined
    return {
      async letGo(ctx, bill, why) {
        const invoice = await invoiceOf(ctx, bill, locked)
        if (invoice) await reopen(ctx, invoice, why)
        reopened = invoice?.id
      },
      async reconsider(ctx) {
        if (reopened) await auditInvoices(ctx, [JSON.parse((await readBack(ctx, reopened)).json)])
      },
      async follow(ctx, bill, copy) {
        const invoice = await invoiceOf(ctx, bill, locked)
        if (invoice) await rename(ctx, invoice, copy)
      },
    }
  },
}

/** The invoice that the bill was made from. Where it became the bill's only after the locks were taken, the transaction begins again. */
async function invoiceOf(ctx: Context, bill: string, locked: string | undefined): Promise<CarrierInvoice | undefined> {
  const id = await findBilledBy(ctx, bill)
  if (id === undefined) return undefined
  if (id !== locked) throw collision('the bill was made from a carrier invoice meanwhile')
  return JSON.parse((await readBack(ctx, id)).json)
}

/** From here on it is billed by nothing but a person: whoever took the bill out of the books had a reason. */
async function reopen(
  ctx: Context,
  { id, state, approved_amount, bill_id }: CarrierInvoice,
  note: string,
): Promise<void> {
  await saveReopened(ctx, id, {
    decision: 'void',
    note,
    amount: null,
    decided_by: await actorId(ctx),
    decided_at: toWire(new Date()),
  })
  await recordInvoices(ctx, [{ type: 'carrier_invoice.reopened', id, previous: { state, approved_amount, bill_id } }])
}

async function rename(
  ctx: Context,
  { id, state, is_disputed, approved_amount, bill_id }: CarrierInvoice,
  copy: string,
): Promise<void> {
  await saveDecided(ctx, [{ id, state, is_disputed, approved_amount, bill_id: copy, decided: [] }])
  await recordInvoices(ctx, [{ type: 'carrier_invoice.corrected', id, previous: { bill_id } }])
}
