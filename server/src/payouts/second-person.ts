import { actorId } from '../auth/applications/actor-id.ts'
import type { Context } from '../context.ts'
import { forbidden } from '../core/refusal.ts'
import { isOnlyUser } from './users-store.ts'

export type Decider = { by: string; byTheOnlyUser: boolean }

/**
 * Who decides about what another has asked for. It must be a person, and another one than who asked; only where the organization has a single user, that
 * one may do both, since nobody else could.
 */
export async function requireSecondPerson(ctx: Context, requestedBy: string, what: string): Promise<Decider> {
  if (ctx.actor.type === 'application')
    throw forbidden('person_required', `${what} is approved by a person, and this token is that of an application which acts for itself.`)
  const by = await actorId(ctx)
  if (by !== requestedBy) return { by, byTheOnlyUser: false }
  if (await isOnlyUser(ctx, by)) return { by, byTheOnlyUser: true }
  throw forbidden('second_person_required', `${what} is approved by another person than the one who asked for it. Have a colleague approve it.`)
}
