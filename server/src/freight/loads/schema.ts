import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id, nullable } from '../../platform/core/schema/schema.ts'
import { findingCodes } from './finding.ts'

const maybe = (description: string, example: string) => nullable(Type.String({ description, examples: [example] }))

const window = (description: string) =>
  nullable(
    named(
      'TimeWindow',
      Type.Object(
        {
          from: maybe('From when.', '2026-11-16T16:00:00Z'),
          until: maybe('Until when.', '2026-11-16T20:00:00Z'),
          time_zone: Type.String({
            description: 'The time zone of the place, in which people read these times: that of its stop.',
            examples: ['America/Los_Angeles'],
          }),
        },
        { description },
      ),
    ),
  )

/** What an offer says of the freight, but for where it goes. */
export const freightProperties = {
  start_at: maybe(
    'When it starts: as the manifest says, or else the window of its first stop.',
    '2026-11-16T16:00:00Z',
  ),
  end_at: maybe('When it ends: as the manifest says, or else the window of its last stop.', '2026-11-18T20:00:00Z'),
  pickup_window: window('When it is picked up: the window of the first pickup.'),
  delivery_window: window('When it is delivered: the window of the last delivery.'),
  distance: nullable(Type.Number({ description: 'In kilometres.', examples: [1301.4] })),
  distance_source: nullable(
    Type.Enum(['entered', 'estimated'], {
      description:
        'Whether the distance is that of the manifest, or estimated from the coordinates of its stops with the detour factor of the organization; null where neither is known.',
      examples: ['entered'],
    }),
  ),
  equipment_types: Type.Array(Type.String(), {
    description: 'What its orders need; the type of the unit on the manifest where they name none.',
    examples: [['reefer']],
  }),
  weight: nullable(
    Type.Number({
      description: 'What its orders weigh together, as far as that is known: see `weight_complete`.',
      examples: [18400],
    }),
  ),
  weight_unit: nullable(
    Type.String({ description: 'In which unit: that of the orders, or kg where they differ.', examples: ['kg'] }),
  ),
  weight_complete: Type.Boolean({
    description: 'Whether `weight` counts all of the freight; false where the weight of some is not known.',
    examples: [true],
  }),
}

export const PlanningFindings = Type.Array(
  named(
    'PlanningFinding',
    Type.Object({
      code: Type.Enum(findingCodes, {
        description: 'What is wrong; the guide on dispatch says what each means.',
        examples: ['not_enough_time'],
      }),
      message: Type.String({
        description: 'The same in words.',
        examples: [
          'Stop 2, Toledo, OH: it is reached at 18 Nov 2026, 09:10 EST at the earliest, and its window closes at 16 Nov 2026, 10:00 EST.',
        ],
      }),
      stop_id: nullable(Id('The stop that it is about; null where it is about the whole manifest.')),
    }),
  ),
  { description: 'What cannot work in the plan as it is now: none of it is refused. Empty once the manifest is over.' },
)
