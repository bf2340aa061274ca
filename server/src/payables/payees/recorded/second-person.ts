import { isThroughApplicationOf, listActorsOfUser } from '../../../identity/applications/makers.ts'
import { actorId } from '../../../platform/access/acting/acting.ts'
import { personRequired } from '../../../platform/access/roles.ts'
import type { Context } from '../../../platform/context.ts'
import { forbidden } from '../../../platform/core/refusal.ts'
import { findStanding } from './users-store.ts'

export type Decider = { by: string; byTheOnlyUser: boolean }

/**
 * Who decides about what another has asked for. It must be a person who is not new, and another one than who asked: an application that they made, and
 * somebody whom they invited a few days ago, count as themselves; and not through an application of who asked. Only where the organization has a single user, and has had no other for as long, that
 * one may do both, since nobody else could.
 */
export async function requireSecondPerson(ctx: Context, requestedBy: string, what: string): Promise<Decider> {
  if (ctx.actor.type === 'application') throw personRequired()
  const by = await actorId(ctx)
  const { days, decides_at, is_alone } = await findStanding(ctx, by)
  if (is_alone)
    return { by, byTheOnlyUser: requestedBy === by || (await listActorsOfUser(ctx, by)).includes(requestedBy) }
  if (decides_at !== null)
    throw forbidden(
      'new_approver',
      `${what} is approved by somebody who is not new: for ${inDays(days)} who joins or gets a role that approves does not, and you can from ${decides_at} on.`,
    )
  if (requestedBy === by)
    throw forbidden(
      'second_person_required',
      `${what} is approved by another person than the one who asked for it. Have a colleague approve it.`,
    )
  if ((await listActorsOfUser(ctx, by, { newUserDays: days })).includes(requestedBy)) {
    const message = `${what} is approved by another person than the one who asked for it. An application counts as whoever made it or its secret, and for ${inDays(days)} a new user as whoever invited them. Have a colleague approve it.`
    throw forbidden('second_person_required', message)
  }
  if (await isThroughApplicationOf(ctx, requestedBy)) {
    const message = `${what} is not approved through an application of whoever asked for it, who could approve with it in your name. Use the console.`
    throw forbidden('second_person_required', message)
  }
  return { by, byTheOnlyUser: false }
}

function inDays(days: number): string {
  return days === 1 ? 'one day' : `${days} days`
}
