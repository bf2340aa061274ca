import type { Context } from '../../platform/context.ts'
import { recordEach } from '../../platform/events/record.ts'
import { stopsIn } from '../stops/itinerary/model.ts'
import { type BorderCrossing, crossingsOf } from './model.ts'
import { deleteCrossings, findCrossed, insertCrossings, wholeManifest } from './store.ts'

/**
 * Notes the borders that a manifest has crossed, in the transaction that reports it, and announces each one that customs had accepted nothing for. The
 * manifest is locked by then, so of two reports the second sees what the first has noted. A departure that was undone is forgotten.
 */
export async function noteCrossings(ctx: Context, manifest: string): Promise<void> {
  const crossed = await findCrossed(ctx, manifest)
  const stops = stopsIn({ stops: crossed?.stops })
  const borders = stops.filter(({ kind }) => kind === 'border')
  if (!crossed || (borders.length === 0 && crossed.noted.length === 0)) return
  const undone = crossed.noted
    .filter(({ stop_id }) => !borders.some(({ id, departedAt }) => id === stop_id && departedAt))
    .map(({ stop_id }) => stop_id)
  if (undone.length > 0) await deleteCrossings(ctx, manifest, undone)
  const left = crossed.noted.filter(({ stop_id }) => !undone.includes(stop_id))
  const fresh = crossingsOf(stops, crossed.emanifests, left).filter(
    ({ stop_id }) =>
      borders.some(({ id, departedAt }) => id === stop_id && departedAt) &&
      !left.some((noted) => noted.stop_id === stop_id),
  )
  if (fresh.length === 0) return
  const added = await insertCrossings(ctx, manifest, fresh)
  await announce(
    ctx,
    manifest,
    fresh.filter(({ stop_id, flagged }) => flagged && added.includes(stop_id)),
  )
}

async function announce(ctx: Context, id: string, flagged: readonly BorderCrossing[]): Promise<void> {
  const type = 'emanifest.crossed_without_acceptance' as const
  const events = flagged.map((border_crossing) => ({ id, type, overrides: { border_crossing } }))
  await recordEach(ctx, 'manifest', events, wholeManifest(ctx, id))
}
