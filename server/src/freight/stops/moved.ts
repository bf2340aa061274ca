import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type Context, transaction } from '../../platform/context.ts'
import { named } from '../../platform/core/schema/names.ts'
import { etagOf } from '../../platform/core/schema/revisions.ts'
import { Id, Text } from '../../platform/core/schema/schema.ts'
import type { Answer } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import type { ObjectReference } from '../../records/model/object.ts'
import { findOne, objectIn } from '../../records/v1/read.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import { readFindings } from '../loads/read.ts'
import { PlanningFindings } from '../loads/schema.ts'
import { estimateAgain } from '../positions/actions.ts'
import type { ReportOptions, ReportOutcome } from './trip.ts'

const State = (description: string, example: string) => Text(description, example)
export const MovedManifest = named(
  'ManifestMove',
  Type.Object({
    manifest: Type.Ref('Manifest'),
    moved: Type.Array(
      named(
        'StateMove',
        Type.Object({
          type: Type.Enum(['manifest', 'leg', 'order'], { description: 'What it is.', examples: ['order'] }),
          id: Id('The record.'),
          full_id: Text('The id that people read.', 'ORD-12'),
          from: State('The state before.', 'planned'),
          to: State('The state now.', 'in_transit'),
        }),
      ),
      { description: 'The records whose state was moved by this.' },
    ),
    planning_findings: PlanningFindings,
  }),
)

type Act = (ctx: Context, manifest: ObjectReference, options: ReportOptions) => Promise<ReportOutcome>

/** Does something to the manifest that the path names, and answers it with the states that were moved. */
export function answerMoved(request: FastifyRequest, act: Act): Promise<Answer> {
  const reference = referenceIn(
    (request.params as Record<string, string>)[manifestResource.param] as string,
    manifestResource.param,
    'any',
  )
  return transaction(request.ctx, async (ctx) => {
    const reported = await act(ctx, objectIn(manifestResource, reference), {
      expected: expectedIn(request),
      afterwards: estimateAgain,
    })
    return movedAnswer(ctx, reported)
  })
}

export async function movedAnswer(ctx: Context, { id, moved }: ReportOutcome): Promise<Answer> {
  const { json, revision } = await findOne(ctx, manifestResource, { by: 'id', id })
  const findings = JSON.stringify(await readFindings(ctx, id))
  return {
    status: 200,
    headers: { etag: etagOf(revision) },
    body: `{"manifest":${json},"moved":${JSON.stringify(moved)},"planning_findings":${findings}}`,
  }
}
