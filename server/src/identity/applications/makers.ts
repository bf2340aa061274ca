import type { Context } from '../../platform/context.ts'
import { type ActorMaker, listGiven, listRedirectors } from './makers-store.ts'

/**
 * Everything as which this user may have acted: the user, and every application whose secret they were shown, or one of those made, by its id and its client
 * id. With `newUserDays` also the users whom these invited and who joined within so many days.
 */
export async function listActorsOfUser(ctx: Context, user: string, { newUserDays = 0 } = {}): Promise<string[]> {
  return below(await listGiven(ctx, newUserDays), [user])
}

/** The same of whoever acts now, who may be an application: then also those who hold its secret, and all as which they may have acted. */
export async function listActorsBehind(ctx: Context, actor: string): Promise<string[]> {
  const given = await listGiven(ctx, 0)
  return below(given, above(given, [actor, ctx.actor.id]))
}

/**
 * Whether the application through which somebody acts now could be used by this actor, or by who is behind it: its tokens are given to whoever has its
 * secret, and to the addresses that it names.
 */
export async function isThroughApplicationOf(ctx: Context, actor: string): Promise<boolean> {
  const through = ctx.actor.application_id
  if (through === undefined) return false
  const [given, redirectors] = await Promise.all([listGiven(ctx, 0), listRedirectors(ctx, through)])
  return below(given, above(given, [actor])).some((one) => one === through || redirectors.includes(one))
}

function above(given: readonly ActorMaker[], from: Iterable<string>): Set<string> {
  const found = new Set(from)
  for (const one of found) for (const { by, ids } of given) if (ids.includes(one)) found.add(by)
  return found
}

function below(given: readonly ActorMaker[], from: Iterable<string>): string[] {
  const found = new Set(from)
  // A set takes in what is added while it is gone through.
  for (const one of found) for (const { by, ids } of given) if (by === one) for (const id of ids) found.add(id)
  return [...found]
}
