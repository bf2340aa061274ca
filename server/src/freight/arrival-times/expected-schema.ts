import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id, nullable, Text, Time } from '../../platform/core/schema/schema.ts'
import { stopKinds } from '../../records/kinds/stops.ts'

const minutes = nullable(
  Type.Integer({
    minimum: 0,
    description: 'How many minutes after the end of the window; 0 in time, null without a window.',
    examples: [45],
  }),
)

/** When a manifest is expected where, as `shownExpected` says it, and where it was last. */
export const expectedProperties = {
  next_stop_id: nullable(
    Id('The stop that it goes to next; null where none is left, or nothing is known of its place.'),
  ),
  eta: nullable(Time('When it is expected there.')),
  distance_left_km: nullable(
    Type.Number({ minimum: 0, description: 'How far it is to the last stop, in kilometres.', examples: [412.6] }),
  ),
  delay_minutes: nullable(
    Type.Integer({
      minimum: 0,
      description:
        'The largest delay of the stops that are left, in minutes; 0 where all are in time, null where none has a window.',
      examples: [45],
    }),
  ),
  eta_source: nullable(
    Type.Enum(['great_circle', 'routing'], {
      description:
        'Whether distances are straight ones with the detour factor of the organization, or from a routing service.',
      examples: ['great_circle'],
    }),
  ),
  last_position: nullable(
    named(
      'LastPosition',
      Type.Object(
        {
          at: Time('When it was there.'),
          latitude: Type.Number({ description: 'In degrees.', examples: [44.05] }),
          longitude: Type.Number({ description: 'In degrees.', examples: [-123.09] }),
          speed_kmh: nullable(Type.Number({ description: 'In kilometres an hour.', examples: [88] })),
          heading: nullable(Type.Number({ description: 'In degrees from north.', examples: [12] })),
          source: Text('Where it comes from.', 'device'),
          place: nullable(Type.String({ description: 'Where that is, in words.', examples: ['Eugene, OR'] })),
        },
        { description: 'Where it was last.' },
      ),
    ),
  ),
  stops: Type.Array(
    named(
      'ExpectedStop',
      Type.Object(
        {
          id: Id('The stop.'),
          sequence: Type.Integer({ description: 'Its place on the way.', examples: [1] }),
          kind: Type.Enum(stopKinds, { description: 'What happens there.', examples: ['pickup'] }),
          time_zone: Text('The time zone of its place, in which people read its times.', 'America/Los_Angeles'),
          eta: nullable(Time('When it is expected there; null of one that was passed, or that has no coordinates.')),
          distance_km: nullable(Type.Number({ description: 'How far it is, in kilometres.', examples: [212.4] })),
          delay_minutes: minutes,
        },
        { additionalProperties: true, description: 'A stop with all its fields, and when it is expected there.' },
      ),
    ),
  ),
}
