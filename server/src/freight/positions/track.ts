import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { readCursor, writeCursor } from '../../platform/core/schema/cursors.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { type ObjectReference, textOfReference } from '../../records/model/object.ts'
import { shownExpected } from '../arrival-times/expected.ts'
import { crossingsIn } from '../crossings/model.ts'
import type { Position } from './model.ts'
import { findTrack } from './store.ts'

export type TrackQuery = { limit?: number; after?: string; simplify_to?: number }

const usual = 200
const most = 1000

/** The track of a manifest as JSON text: its positions, its stops with the times they are expected at, and the delay. One round trip. */
export async function readTrack(
  ctx: Context,
  reference: ObjectReference,
  { limit = usual, after, simplify_to }: TrackQuery,
): Promise<WireRecord> {
  const search = `track ${textOfReference(reference)}`
  const cursor = after === undefined ? undefined : (readCursor(search, after, ['time', 'text']) as [string, string])
  const page = { limit: Math.min(limit, most), after: cursor, spread: simplify_to }
  const track = await findTrack(ctx, reference, page)
  if (!track) throw notFound('manifest', textOfReference(reference))
  const { stops, ...expected } = shownExpected(track)
  const found = track.positions === '' ? [] : track.positions.split('\n')
  const positions = simplify_to === undefined ? found.slice(0, page.limit) : found
  const head = {
    manifest_id: track.id,
    full_id: track.full_id,
    status: track.status,
    ...expected,
    last_position: track.last_position,
    stops,
    border_crossings: crossingsIn(track),
  }
  const body = `${JSON.stringify(head).slice(0, -1)},"positions":[${positions.join(',')}]}`
  const next = positions.length < found.length ? cursorAt(search, positions.at(-1)) : null
  return {
    revision: track.version,
    json: `{"track":${body},"limit":${page.limit},"next_after":${JSON.stringify(next)}}`,
  }
}

/** Behind the last position of a page, if it has one. */
function cursorAt(search: string, position: string | undefined): string | null {
  if (position === undefined) return null
  const { at, source } = JSON.parse(position) as Position
  return writeCursor(search, JSON.stringify([at, source]))
}
