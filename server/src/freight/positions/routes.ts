import Type from 'typebox'
import { invalid, Refusal } from '../../platform/core/refusal.ts'
import { errorOf } from '../../platform/core/schema/rows.ts'
import { Id, nullable, referenceParam, Text } from '../../platform/core/schema/schema.ts'
import { ok, revised } from '../../platform/http/answers/answers.ts'
import { rowsApart } from '../../platform/http/answers/bulk.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { objectIn } from '../../records/v1/read.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import type { Settings } from '../../settings.ts'
import { expectedProperties } from '../arrival-times/expected-schema.ts'
import { BorderCrossings } from '../crossings/schema.ts'
import { type PositionOutcome, recordPositions, recordPositionsOfMany } from './actions.ts'
import { mostPositions, NewPositions, PositionOfManifest, PositionRecord, readPosition } from './model.ts'
import { readTrack } from './track.ts'

const { param, label, example, kind } = manifestResource
const tags = ['Manifests']
const config = { scope: kind.scope }
const params = referenceParam(param, label, example, `${kind.prefix}-1`)

const count = (description: string, example = 1) => Type.Integer({ minimum: 0, description, examples: [example] })
const counts = {
  recorded: count('How many were recorded.'),
  repeated: count('How many were there before, and are kept once.', 0),
}
const Track = Type.Object(
  {
    manifest_id: Id('The manifest.'),
    full_id: Text('The id that people read.', 'MAN-12'),
    status: Text('Its state.', 'in_transit'),
    ...expectedProperties,
    border_crossings: BorderCrossings,
    positions: Type.Array(Type.Ref('Position'), { description: 'The newest first.' }),
  },
  { $id: 'Track', description: 'Where the vehicle of a manifest was, and when it is expected where.' },
)

/** Where the vehicles of manifests are. */
export const positions =
  ({ positionsOfDay }: Pick<Settings, 'positionsOfDay'>) =>
  async (app: App): Promise<void> => {
    for (const schema of [PositionRecord, Track]) app.addSchema(schema)
    app.decorateRequest('rows')

    app.post(
      `/manifests/:${param}/positions`,
      {
        config,
        schema: {
          tags,
          operationId: 'recordManifestPositions',
          summary: 'Record positions of a manifest',
          description: `Records where the vehicle of a manifest was, or a check call: one, or up to ${mostPositions} under \`positions\`. They may come late and in any order. One of the same time and source as one that is there is kept once. Positions write no events; the last one, the arrival times and the delay follow from them.`,
          params,
          body: NewPositions,
          response: answers({ 201: Type.Object(counts) }),
        },
      },
      async ({ ctx, params, body }) => {
        const { positions, ...single } = body as { positions?: unknown[] }
        if (positions && Object.keys(single).length > 0)
          throw invalid('positions', 'ambiguous', 'Send one position, or several under "positions", not both.')
        const read = positions
          ? positions.map((one, index) => readPosition(one, `positions.${index}.`))
          : [readPosition(single)]
        const reference = referenceIn((params as Record<string, string>)[param] as string, param, 'any')
        const outcomes = await recordPositions(ctx, objectIn(manifestResource, reference), read, positionsOfDay)
        return { ...ok(JSON.stringify(countsOf(outcomes))), status: 201 }
      },
    )

    app.post(
      '/positions',
      {
        config: { ...config, costs: 'bulk' },
        preValidation: rowsApart('positions', mostPositions),
        schema: {
          tags,
          operationId: 'recordPositions',
          summary: 'Record positions of many manifests',
          description: `Records up to ${mostPositions} positions and check calls of any manifests. A row that is wrong is named in the results and fails alone; the answer is 200 in either case.`,
          body: Type.Object({
            positions: Type.Array(PositionOfManifest, {
              minItems: 0,
              maxItems: mostPositions,
              description: `The positions, at most ${mostPositions}.`,
            }),
          }),
          response: answers({
            200: Type.Object({
              counts: Type.Object({ ...counts, failed: count('How many failed.', 0) }),
              results: Type.Array(
                Type.Object({
                  index: count('Which row, from 0.', 0),
                  status: Type.Enum(['recorded', 'repeated', 'failed'], {
                    description: 'What came of it.',
                    examples: ['recorded'],
                  }),
                  error: Type.Optional(Type.Ref('RowError')),
                }),
                { description: 'One for each row, in their order.' },
              ),
            }),
          }),
        },
      },
      async ({ ctx, rows }) => {
        const outcomes = await recordPositionsOfMany(ctx, rows ?? [], positionsOfDay)
        const results = outcomes.map((outcome, index) =>
          outcome instanceof Refusal
            ? { index, status: 'failed', error: errorOf(outcome) }
            : { index, status: outcome },
        )
        const failed = outcomes.filter((outcome) => outcome instanceof Refusal).length
        return ok(JSON.stringify({ counts: { ...countsOf(outcomes), failed }, results }))
      },
    )

    app.get(
      `/manifests/:${param}/track`,
      {
        config,
        schema: {
          tags,
          ...neverNotModified,
          operationId: 'getManifestTrack',
          summary: 'The track of a manifest',
          description:
            'Answers the positions of a manifest, the newest first, with its stops, when it is expected at those that are left, how far it is, and how late it will be. `simplify_to` answers so many positions spread over the whole way instead of a page.',
          params,
          querystring: Type.Object({
            limit: Type.Optional(
              Type.Integer({
                minimum: 0,
                default: 200,
                description: 'How many positions to answer: 200 unless said, at most 1000.',
                examples: [200],
              }),
            ),
            after: Type.Optional(
              Type.String({
                maxLength: 1000,
                description: 'The cursor that the page before was answered with: older positions follow.',
              }),
            ),
            simplify_to: Type.Optional(
              Type.Integer({
                minimum: 2,
                maximum: 1000,
                description: 'At most so many positions, spread evenly over all of them; no cursor.',
                examples: [100],
              }),
            ),
          }),
          response: answers({
            200: Type.Object({
              track: Type.Ref('Track'),
              limit: Type.Integer({ description: 'The limit used.', examples: [200] }),
              next_after: nullable(
                Type.String({
                  description: 'The cursor of the next page, for `after`; null when nothing follows.',
                  examples: [null],
                }),
              ),
            }),
          }),
        },
      },
      async ({ ctx, params, query }) => {
        const reference = referenceIn((params as Record<string, string>)[param] as string, param, 'any')
        return { ...revised(await readTrack(ctx, objectIn(manifestResource, reference), query)), shifting: true }
      },
    )
  }

function countsOf(outcomes: readonly (PositionOutcome | Refusal)[]): { recorded: number; repeated: number } {
  const of = (outcome: PositionOutcome) => outcomes.filter((one) => one === outcome).length
  return { recorded: of('recorded'), repeated: of('repeated') }
}
