import Type, { type Static } from 'typebox'
import { type Detail, invalidAll, quote } from '../../platform/core/refusal.ts'
import { Id, Moment, nullable, Text, Time } from '../../platform/core/schema/schema.ts'
import { parseDate, toWire } from '../../platform/core/values/dates.ts'
import { isId, parseReference } from '../../platform/core/values/ids.ts'

export const positionSources = ['api', 'portal', 'check_call', 'device'] as const
export type PositionSource = (typeof positionSources)[number]

/** A position that was read, before it is known whether there is such a manifest. */
export type Position = {
  at: string
  latitude: number | null
  longitude: number | null
  speed_kmh: number | null
  heading: number | null
  source: PositionSource
  place: string | null
  note: string | null
}

const source = Type.Enum(positionSources, {
  description:
    'Where it comes from: `device` of a telematics system, `check_call` of a call with the driver, `portal` of the carrier, `api` otherwise.',
  examples: ['device'],
})
const latitude = Type.Number({
  minimum: -90,
  maximum: 90,
  description: 'In degrees, north is positive.',
  examples: [44.05],
})
const longitude = Type.Number({
  minimum: -180,
  maximum: 180,
  description: 'In degrees, east is positive.',
  examples: [-123.09],
})
const speed = Type.Number({ minimum: 0, maximum: 500, description: 'In kilometres an hour.', examples: [88] })
const heading = Type.Number({
  minimum: 0,
  maximum: 360,
  description: 'In degrees from north, clockwise.',
  examples: [12],
})
const place = Text('Where that is, in words.', 'Eugene, OR', { maxLength: 255 })
const note = Text('What was said on a check call.', 'Fuel stop, leaving in 20 minutes', { maxLength: 1000 })

const sent = {
  at: Type.Optional(nullable(Moment('When the vehicle was there; now where nothing is said.', '2026-11-16T14:05:00Z'))),
  latitude: Type.Optional(nullable(latitude)),
  longitude: Type.Optional(nullable(longitude)),
  speed_kmh: Type.Optional(nullable(speed)),
  heading: Type.Optional(nullable(heading)),
  source: Type.Optional(source),
  place: Type.Optional(nullable(place)),
  note: Type.Optional(nullable(note)),
}

/** Most positions of one request. */
export const mostPositions = 1000

export const NewPosition = Type.Object(sent, {
  description: 'A position, a check call with a note, or both: it needs coordinates, a place, or a note.',
  examples: [{ at: '2026-11-16T14:05:00Z', latitude: 44.05, longitude: -123.09, speed_kmh: 88, source: 'device' }],
})

/** One position, or several under `positions`. */
export const NewPositions = Type.Object(
  {
    ...sent,
    positions: Type.Optional(
      Type.Array(NewPosition, {
        minItems: 1,
        maxItems: mostPositions,
        description: 'Several at once, instead of the fields of one.',
      }),
    ),
  },
  { examples: [{ at: '2026-11-16T14:05:00Z', latitude: 44.05, longitude: -123.09, speed_kmh: 88, source: 'device' }] },
)

export const PositionOfManifest = Type.Object(
  {
    manifest_id: Type.String({
      description: 'The manifest: its id, or `ext:` and its external id.',
      examples: ['ext:TRIP-5521'],
    }),
    ...sent,
  },
  {
    description: 'A position, and the manifest that it is of.',
    examples: [
      {
        manifest_id: 'ext:TRIP-5521',
        at: '2026-11-16T14:05:00Z',
        latitude: 44.05,
        longitude: -123.09,
        source: 'device',
      },
    ],
  },
)

export const PositionRecord = Type.Object(
  {
    at: Time('When the vehicle was there.'),
    latitude: nullable(latitude),
    longitude: nullable(longitude),
    speed_kmh: nullable(speed),
    heading: nullable(heading),
    source,
    place: nullable(place),
    note: nullable(note),
    received_at: Time('When it was received.'),
    created_by: Id('Who sent it: the id of a user, or of an application that acted for itself.'),
  },
  { $id: 'Position', description: 'Where the vehicle of a manifest was, or what was said on a check call.' },
)
export type PositionRecord = Static<typeof PositionRecord>

/** The clock of a device may be a little fast. */
const mostAheadMs = 5 * 60_000
const oldest = Date.UTC(2000, 0, 1)

type Sent = Record<string, unknown>

/** Reads a position that a caller sent, or refuses all that is wrong with it. By hand, because a schema would take most of the time of a large request. */
export function readPosition(row: unknown, at = ''): Position {
  const sent = (row ?? {}) as Sent
  const wrong: Detail[] = []
  const fault = (field: string, code: string, message: string) =>
    wrong.push({ field: `${at}${field}`, code, message: `"${at}${field}" ${message}` })
  const number = (field: string, least: number, most: number): number | null => {
    const value = sent[field] ?? null
    if (value === null || (typeof value === 'number' && value >= least && value <= most)) return value
    fault(field, 'wrong_type', `must be a number from ${least} to ${most}, not ${quote(value)}.`)
    return null
  }
  const text = (field: string, most: number): string | null => {
    const value = sent[field] ?? null
    if (value === null || (typeof value === 'string' && value.length <= most && !value.includes('\0')))
      return value === null || value.trim() === '' ? null : value
    fault(field, 'wrong_type', `must be a text of at most ${most} characters, not ${quote(value)}.`)
    return null
  }
  const position: Position = {
    at: timeIn(sent.at, fault),
    latitude: number('latitude', -90, 90),
    longitude: number('longitude', -180, 180),
    speed_kmh: number('speed_kmh', 0, 500),
    heading: headingOf(number('heading', 0, 360)),
    source: sourceIn(sent, fault),
    place: text('place', 255),
    note: text('note', 1000),
  }
  if (wrong.length === 0) requireContent(position, fault)
  if (wrong.length > 0) throw invalidAll(wrong)
  return position
}

export type ManifestName = { id: string } | { externalId: string } | { fullId: string; number: number }

/** The manifest that a row names. */
export function manifestNamed(row: unknown): ManifestName {
  const sent = ((row ?? {}) as Sent).manifest_id
  const reference = typeof sent === 'string' ? parseReference(sent, 'any') : null
  if (reference?.by === 'id' && isId(reference.id)) return { id: reference.id.toLowerCase() }
  if (reference?.by === 'external_id') return { externalId: reference.external_id }
  if (reference?.by === 'number') return { fullId: reference.full, number: reference.number }
  const message = `"manifest_id" must be the id of a manifest, or ext: and its external id, not ${quote(sent)}.`
  throw invalidAll([
    { field: 'manifest_id', code: sent === undefined || sent === null ? 'required' : 'bad_id', message },
  ])
}

type Fault = (field: string, code: string, message: string) => void

function timeIn(sent: unknown, fault: Fault): string {
  if (sent === undefined || sent === null) return toWire(new Date())
  const at = typeof sent === 'string' ? parseDate(sent) : null
  if (!at) fault('at', 'bad_date_time', `must be a date-time such as 2026-11-16T14:05:00Z, not ${quote(sent)}.`)
  else if (at.getTime() > Date.now() + mostAheadMs)
    fault('at', 'in_the_future', `is ${toWire(at)}, which is still to come.`)
  else if (at.getTime() < oldest) fault('at', 'bad_date_time', `is ${toWire(at)}, which is too long ago.`)
  return at ? toWire(at) : ''
}

/** 360 is north as well as 0. */
function headingOf(heading: number | null): number | null {
  return heading === 360 ? 0 : heading
}

/** What has a note and says nothing else comes from a call. */
function sourceIn({ source, note, latitude }: Sent, fault: Fault): PositionSource {
  if (source === undefined || source === null)
    return typeof note === 'string' && (latitude ?? null) === null ? 'check_call' : 'api'
  if (positionSources.includes(source as PositionSource)) return source as PositionSource
  fault('source', 'unknown_value', `cannot be ${quote(source)}; allowed: ${positionSources.join(', ')}.`)
  return 'api'
}

function requireContent({ latitude, longitude, place, note }: Position, fault: Fault): void {
  if ((latitude === null) !== (longitude === null))
    fault(latitude === null ? 'latitude' : 'longitude', 'required', 'is required with the other coordinate.')
  if (latitude === null && place === null && note === null)
    fault('latitude', 'required', 'is required, with "longitude", where there is neither a place nor a note.')
}
