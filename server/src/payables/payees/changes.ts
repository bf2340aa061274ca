import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import type { PlainReference } from '../../platform/core/values/ids.ts'
import { recordSecurity } from '../../platform/security-log/record.ts'
import { lockRunsOf, redirectPayments } from '../payment-runs/cascade.ts'
import { idOf, lockExpected, recordPayee } from './recorded/actions.ts'
import { requireWholeChange } from './recorded/model.ts'
import { tellOfDecision } from './recorded/notices.ts'
import { requireSecondPerson } from './recorded/second-person.ts'
import {
  findChange,
  findChangeJson,
  type LockedPayee,
  raiseRevision,
  saveDecision,
  savePayee,
  type WaitingChange,
} from './recorded/store.ts'

type Decision = { note?: string | null }

/** A second person lets a change apply; from then on payments to the payee go on. */
export function approveChange(
  ctx: Context,
  reference: PlainReference,
  id: string,
  { note = null }: Decision,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const runs = await lockRunsOf(ctx, await idOf(ctx, reference))
    const { payee, change } = await lockWaiting(ctx, reference, id, expected)
    requireWholeChange(payee, change.fields)
    const { by, byTheOnlyUser } = await requireSecondPerson(ctx, change.requested_by, 'A change of where money goes')
    await saveDecision(ctx, change.id, { status: 'approved', by, byTheOnlyUser, note })
    const sealed = change.fields.bank_details === undefined ? payee.sealed : change.sealed
    await savePayee(ctx, payee.id, { ...payee, ...change.fields, sealed, status: 'active' })
    await redirectPayments(ctx, payee.id, runs)
    await tellOfDecision(ctx, payee, 'approved', [change.requested_by, by])
    await recordSecurity(ctx, {
      type: 'payee.changed',
      summary: `Approved a change of where the money of the payee ${payee.id} (${payee.name}) goes.`,
    })
    const previous = Object.fromEntries(
      Object.keys(change.fields).map((field) => [field, payee[field as keyof LockedPayee]]),
    )
    return recordPayee(ctx, 'change_approved', payee.id, { previous, change: await findChangeJson(ctx, change.id) })
  })
}

/** The payee stays as it was; one that is new stays unapproved, and its next change is a change of all of it. Who asked may take the change back in the same way. */
export function rejectChange(
  ctx: Context,
  reference: PlainReference,
  id: string,
  { note = null }: Decision,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { payee, change } = await lockWaiting(ctx, reference, id, expected)
    const by = await actorId(ctx)
    await saveDecision(ctx, change.id, { status: 'rejected', by, byTheOnlyUser: false, note })
    await tellOfDecision(ctx, payee, 'rejected', [change.requested_by, by])
    await raiseRevision(ctx, payee.id)
    return recordPayee(ctx, 'change_rejected', payee.id, { change: await findChangeJson(ctx, change.id) })
  })
}

async function lockWaiting(
  ctx: Context,
  reference: PlainReference,
  id: string,
  expected: ExpectedRevision,
): Promise<{ payee: LockedPayee; change: WaitingChange }> {
  const payee = await lockExpected(ctx, reference, null)
  const change = await findChange(ctx, payee.id, id)
  if (!change) throw notFound('change of this payee', id)
  if (change.status !== 'waiting') throw conflict('change_is_decided', `This change was ${change.status} already.`)
  requireExpected(expected, payee.revision)
  return { payee, change }
}
