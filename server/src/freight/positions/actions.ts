import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, notFound, Refusal } from '../../platform/core/refusal.ts'
import { outcomeOr } from '../../platform/core/schema/rows.ts'
import { type ObjectReference, textOfReference } from '../../records/model/object.ts'
import { announceDelays, type Delay } from '../arrival-times/announce.ts'
import { announcementOf } from '../arrival-times/delays.ts'
import type { Sighting } from '../arrival-times/estimate.ts'
import { expectedOf, type TrackedManifest } from '../arrival-times/expected.ts'
import { stopsIn } from '../stops/itinerary/model.ts'
import { type ManifestName, manifestNamed, type Position, readPosition } from './model.ts'
import {
  addOfDay,
  insertPositions,
  keyOf,
  lockTracking,
  type NewPosition,
  saveEstimates,
  saveLastPositions,
  saveRecorded,
} from './store.ts'

/** One a minute for five weeks. */
export const mostOfManifest = 50_000

const unbounded = Number.POSITIVE_INFINITY

/** What came of a position: it was recorded, or it was there before. */
export type PositionOutcome = 'recorded' | 'repeated'

/** Records positions and check calls of one manifest; all of them or none. */
export function recordPositions(
  ctx: Context,
  manifest: ObjectReference,
  positions: readonly Position[],
  mostOfDay = unbounded,
): Promise<PositionOutcome[]> {
  return transaction(ctx, async (ctx) => {
    const [tracked] = await lockTracking(ctx, namesOf([manifest]))
    if (!tracked) throw notFound('manifest', textOfReference(manifest))
    if (tracked.positions_recorded + positions.length > mostOfManifest) throw tooManyPositions()
    return write(
      ctx,
      [tracked],
      positions.map((position) => ({ ...position, manifest_id: tracked.id })),
      mostOfDay,
    )
  })
}

/** Records positions of many manifests; a row that is wrong fails alone. With what is beyond the day's bound nothing is recorded. */
export function recordPositionsOfMany(
  ctx: Context,
  rows: readonly unknown[],
  mostOfDay = unbounded,
): Promise<(PositionOutcome | Refusal)[]> {
  const read = rows.map((row) => outcomeOr(() => ({ manifest: manifestNamed(row), position: readPosition(row) })))
  return transaction(ctx, async (ctx) => {
    const good = read.flatMap((row) => (row instanceof Refusal ? [] : [row]))
    const tracked = await lockTracking(ctx, namesOf(good.map(({ manifest }) => manifest)))
    const byName = new Map(
      tracked.flatMap((one) => [
        [one.id, one.id] as const,
        [one.full_id, one.id] as const,
        ...(one.external_id === null ? [] : [[`ext ${one.external_id}`, one.id] as const]),
      ]),
    )
    const counts = new Map(tracked.map(({ id, positions_recorded }) => [id, positions_recorded]))
    const placed = read.map((row) => {
      if (row instanceof Refusal) return row
      const manifest_id = byName.get(keyOfName(row.manifest))
      if (manifest_id === undefined) return notFound('manifest', Object.values(row.manifest)[0] as string)
      const count = (counts.get(manifest_id) ?? 0) + 1
      if (count > mostOfManifest) return tooManyPositions()
      counts.set(manifest_id, count)
      return { ...row.position, manifest_id }
    })
    const written = await write(
      ctx,
      tracked,
      placed.flatMap((row) => (row instanceof Refusal ? [] : [row])),
      mostOfDay,
    )
    let next = 0
    return placed.map((row) => (row instanceof Refusal ? row : (written[next++] as PositionOutcome)))
  })
}

/** Estimates the arrival times of a manifest anew, after its stops were reported; where nothing is known of its way, nothing happens. */
export async function estimateAgain(ctx: Context, manifestId: string): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const tracked = await lockTracking(ctx, { ids: [manifestId], externalIds: [] })
    await save(
      ctx,
      tracked.map((one) => ({ tracked: one, sighting: one.last_position })),
    )
  })
}

function keyOfName(name: ManifestName): string {
  if ('id' in name) return name.id
  return 'fullId' in name ? name.fullId : `ext ${name.externalId}`
}

function tooManyPositions(): Refusal {
  return conflict(
    'too_many_positions',
    `A manifest can have ${mostOfManifest.toLocaleString('en-US')} positions, and with these it would have more. Send fewer, such as one a minute.`,
  )
}

function tooManyOfDay(most: number): Refusal {
  return conflict(
    'too_many_positions',
    `An organization can record ${most.toLocaleString('en-US')} positions in a day, and with these it would have more. Send fewer, such as one a minute, or go on after midnight UTC.`,
  )
}

function namesOf(names: readonly ManifestName[]) {
  return {
    ids: [...new Set(names.flatMap((name) => ('id' in name ? [name.id] : [])))],
    externalIds: [...new Set(names.flatMap((name) => ('externalId' in name ? [name.externalId] : [])))],
    fullIds: [...new Set(names.flatMap((name) => ('fullId' in name ? [name.fullId] : [])))],
    numbers: [...new Set(names.flatMap((name) => ('number' in name ? [name.number] : [])))],
  }
}

/** Late positions land in their place; only one that is newer than all before moves the vehicle. */
async function write(
  ctx: Context,
  tracked: readonly TrackedManifest[],
  positions: readonly NewPosition[],
  mostOfDay: number,
): Promise<PositionOutcome[]> {
  if (positions.length === 0) return []
  const added = await insertPositions(ctx, positions, await actorId(ctx))
  await saveRecorded(ctx, countsOf(added))
  const newest = new Map<string, NewPosition>()
  const seen = new Set<string>()
  const outcomes = positions.map((position): PositionOutcome => {
    const key = keyOf(position)
    const isNew = added.has(key) && !seen.has(key)
    seen.add(key)
    const known = newest.get(position.manifest_id)
    if (isNew && position.latitude !== null && (!known || known.at < position.at))
      newest.set(position.manifest_id, position)
    return isNew ? 'recorded' : 'repeated'
  })
  const moving = tracked.flatMap((one) => {
    const position = newest.get(one.id)
    return position && (!one.last_position || one.last_position.at < position.at) ? [{ tracked: one, position }] : []
  })
  await saveLastPositions(
    ctx,
    moving.map(({ position }) => position),
  )
  await save(
    ctx,
    moving.map(({ tracked, position }) => ({ tracked, sighting: position as Sighting })),
  )
  // Last: until the transaction ends, all who record positions in the organization wait for this row.
  if (added.size > 0 && (await addOfDay(ctx, added.size)) > mostOfDay) throw tooManyOfDay(mostOfDay)
  return outcomes
}

/** How many of the keys are of each manifest. */
function countsOf(keys: ReadonlySet<string>): Map<string, number> {
  const manifests = [...keys].map((key) => key.slice(0, key.indexOf(' ')))
  return new Map([...Map.groupBy(manifests, (id) => id)].map(([id, all]) => [id, all.length]))
}

/** Keeps what is estimated now, and announces delays that have not been. */
async function save(
  ctx: Context,
  moving: readonly { tracked: TrackedManifest; sighting: Sighting | null }[],
): Promise<void> {
  const delays: Delay[] = []
  const saved = moving.map(({ tracked, sighting }) => {
    const stops = stopsIn({ stops: tracked.stops })
    const estimated = expectedOf(tracked, sighting)
    const limit = tracked.settings.eta_delay_limit_minutes
    const { announce, announced } = announcementOf(
      estimated?.delay_minutes ?? null,
      tracked.notified_delay_minutes,
      limit,
    )
    if (announce && estimated) delays.push({ manifest: tracked, estimate: estimated, stops, limit })
    return { manifest_id: tracked.id, estimate: estimated, notified_delay_minutes: announced }
  })
  await saveEstimates(ctx, saved)
  await announceDelays(ctx, delays)
}
