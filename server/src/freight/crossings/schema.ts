import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id, nullable } from '../../platform/core/schema/schema.ts'

/** The borders that a manifest crosses, as `crossingsOf` says them. */
export const BorderCrossings = Type.Array(
  named(
    'BorderCrossing',
    Type.Object({
      stop_id: Id('The border stop.'),
      border: nullable(
        Type.Enum(['ace', 'aci'], {
          description:
            'Into the United States (`ace`) or Canada (`aci`), by where it goes on to; null where the stops do not say.',
          examples: ['ace'],
        }),
      ),
      emanifest_id: nullable(Id('Its e-manifest.')),
      state: nullable(Type.String({ description: 'The state of that.', examples: ['accepted'] })),
      flagged: Type.Boolean({
        description: 'Whether the border was crossed while customs had accepted none.',
        examples: [false],
      }),
    }),
  ),
  { description: 'The border stops, and what customs has accepted for each.' },
)
