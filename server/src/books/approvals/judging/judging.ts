import { listActorsBehind } from '../../../identity/applications/makers.ts'
import { actorId } from '../../../platform/access/acting/acting.ts'
import type { Context } from '../../../platform/context.ts'
import { conflict, forbidden, type Refusal } from '../../../platform/core/refusal.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { refusalsOfPlanned } from '../../../platform/files/rules/required.ts'
import type { Bill } from '../../bills/kind.ts'
import type { ApprovalHooks, Payable } from '../../documents/model/kind/kind.ts'
import { type ApprovalObstacle, judgeBills, listNeeding, listStanding, type PlannedBill } from './judging-store.ts'

/** How bills come to be approved: what the shared code asks where it writes and pays them. */
export const approving: ApprovalHooks<Bill> = {
  constraint: 'bill_paid_is_approved',
  refused: () => notApproved({ number: null, approval_status: 'pending' }),

  concerns: ({ approval_status }) => approval_status !== 'not_needed',

  async judge(ctx, ids) {
    const judged = await judgeBills(ctx, ids).catch((error) => {
      throw violatedConstraint(error) === approving.constraint ? approving.refused() : error
    })
    return judged.map(({ id, was, status }) => ({
      id,
      isRequested: status === 'pending' && was !== 'pending',
      previous: { approval_status: was },
    }))
  },

  async refusalsOf(ctx, payables) {
    const kept = payables.filter(({ isKept }) => isKept).map(({ document }) => document.id)
    const other = payables.flatMap((payable, index) => (payable.isKept ? [] : [plannedOf(payable, index)]))
    const payer = await listActorsBehind(ctx, await actorId(ctx))
    const [, standing, needing] = await Promise.all([
      kept.length > 0 ? approving.judge(ctx, kept) : [],
      kept.length > 0 ? listStanding(ctx, kept, payer) : [],
      other.length > 0 ? listNeeding(ctx, other) : [],
    ])
    const byId = new Map(standing.map((one) => [one.id, one]))
    const byIndex = new Map(needing.map((one) => [one.index, one]))
    return payables.map(({ document, isKept }, index) => {
      const one = byId.get(document.id)
      if (isKept) return one ? refusalOf(one) : null
      const needed = byIndex.get(index)
      if (needed?.is_needed) return notApproved({ number: null, approval_status: 'pending' })
      return needed?.is_separate && document.created_by !== null && payer.includes(document.created_by)
        ? samePerson()
        : null
    })
  },

  refusalsOfMissing(ctx, payables) {
    const bills = payables.map(({ document: { id, number, partner_carrier_id, master_trip_id }, lines }) => {
      const manifests = lines.map((line) => (line as { manifest_id?: string | null }).manifest_id ?? null)
      return {
        number,
        partner_carrier_id,
        records: [id, master_trip_id, ...manifests].filter((record) => record !== null),
      }
    })
    return refusalsOfPlanned(ctx, 'pay', bills)
  },
}

/** Those of these bills, whose locks the caller holds, that may not be paid because they are not approved as they are now, and why. */
export async function listUnapproved(ctx: Context, ids: readonly string[]): Promise<Map<string, Refusal>> {
  if (ids.length === 0) return new Map()
  const [, standing] = await Promise.all([approving.judge(ctx, ids), listStanding(ctx, ids, [])])
  return new Map(standing.filter(isUnapproved).map((one) => [one.id, notApproved(one)]))
}

function plannedOf({ document, lines }: Payable<Bill>, index: number): PlannedBill {
  const { partner_carrier_id, currency_id, total_amount, home_currency_id, home_total_amount } = document
  const types = lines.flatMap((line) => (line as { bill_item_type_id?: string | null }).bill_item_type_id ?? [])
  return { index, partner_carrier_id, currency_id, total_amount, home_currency_id, home_total_amount, types }
}

function refusalOf(standing: ApprovalObstacle): Refusal | null {
  if (isUnapproved(standing)) return notApproved(standing)
  return standing.is_same_person ? samePerson() : null
}

function isUnapproved({ approval_status }: ApprovalObstacle): boolean {
  return approval_status === 'pending' || approval_status === 'rejected'
}

function notApproved({ number, approval_status }: Pick<ApprovalObstacle, 'number' | 'approval_status'>): Refusal {
  const which = number === null ? 'The bill' : `BILL-${String(number).padStart(6, '0')}`
  const message =
    approval_status === 'rejected'
      ? `${which} was rejected, so it cannot be paid. Correct it, and have it approved.`
      : `${which} is not approved as it is now, so it cannot be paid. Have it approved first.`
  return conflict('not_approved', message, [{ field: 'approval_status', code: 'not_approved', message }])
}

function samePerson(): Refusal {
  return forbidden(
    'separate_payer',
    'The organization does not let people pay a bill that they entered or approved. Somebody else has to pay it.',
  )
}
