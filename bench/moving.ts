import { extensions } from '../server/src/freight/extension.ts'
import { recordPositions } from '../server/src/freight/positions/actions.ts'
import type { Database } from '../server/src/platform/db/database.ts'
import { sql } from '../server/src/platform/db/sql/sql.ts'
import { createOrganization, systemContext } from '../server/src/platform/organizations/actions.ts'
import { writeObjects } from '../server/src/records/bulk/actions.ts'

/** How many manifests are under way, and how many positions each of the first has. */
const manifests = 100
const tracked = 20
export const positionsOfTrack = 10_000
const atOnce = 1000
const began = Date.UTC(2026, 0, 1)

/** An organization with manifests under way; the first of them have long tracks. */
export async function openMoving(
  database: Database,
  say: (line: string) => void,
): Promise<{ org: string; ids: string[] }> {
  const { id: org } = await createOrganization(database, 'A broker with many vehicles')
  const ctx = systemContext(database, org)
  const stops = [
    {
      kind: 'pickup',
      address: { city: 'Oakland', latitude: 37.8, longitude: -122.27 },
      departedAt: '2025-12-31T12:00:00Z',
    },
    { kind: 'delivery', address: { city: 'Seattle', latitude: 47.6, longitude: -122.33 } },
  ]
  const rows = Array.from({ length: manifests }, (_, index) => ({
    objectKey: 'manifest',
    json: { referenceNumber: `MOVING-${index}`, status: 'in_transit', stops },
  }))
  const { outcomes } = await writeObjects(ctx, rows, { extensions, mode: 'all_or_nothing' })
  const ids = outcomes.map(({ id }) => id as string)
  for (const [index, id] of ids.slice(0, tracked).entries()) {
    say(`Filling: the track ${index + 1} of ${tracked}`)
    for (let done = 0; done < positionsOfTrack; done += atOnce) {
      await recordPositions(
        ctx,
        { by: 'id', id },
        Array.from({ length: atOnce }, (_, at) => positionAt(done + at)),
      )
    }
  }
  // What autovacuum would have done a minute later.
  await database.pool.run(sql`vacuum analyze positions, last_positions, tracking, objects`)
  return { org, ids }
}

/** The manifests with long tracks. */
export function tracksOf(ids: readonly string[]): readonly string[] {
  return ids.slice(0, tracked)
}

let batches = 0

/** A batch of positions of manifests without long tracks, ten of each, that was never sent before. */
export function newBatch(ids: readonly string[]): string {
  const first = began + positionsOfTrack * 1000 + batches++ * 60_000
  const moving = ids.slice(tracked)
  const positions = Array.from({ length: atOnce }, (_, index) => ({
    manifest_id: moving[index % moving.length],
    at: new Date(first + Math.floor(index / moving.length) * 1000).toISOString(),
    latitude: 38 + (batches % 900) / 100,
    longitude: -122,
    speed_kmh: 80,
    source: 'device',
  }))
  return JSON.stringify({ positions })
}

function positionAt(index: number) {
  const share = index / positionsOfTrack
  return {
    ...{
      at: new Date(began + index * 1000).toISOString(),
      latitude: 37.8 + 9.8 * share,
      longitude: -122.3,
      speed_kmh: 80,
      heading: 0,
    },
    ...{ source: 'device' as const, place: null, note: null },
  }
}
