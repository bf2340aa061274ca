import Type from 'typebox'
import { record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { amendEmanifest, validateEmanifest } from './actions.ts'
import { Amendment, type EmanifestEdit as Edit } from './contents/model.ts'
import { config, One, one, params, tags } from './paths.ts'
import { cancelEmanifest, type FilingMode, submitEmanifest } from './submitting.ts'

const Missing = Type.Object({
  field: Type.String({ description: 'Where it is missing.', examples: ['shipments.0.control_number'] }),
  code: Type.Enum(['missing', 'wrong'], {
    description: 'Whether it is not there, or not as it must be.',
    examples: ['missing'],
  }),
  message: Type.String({
    description: 'What is missing.',
    examples: ['The control number of the shipment is missing.'],
  }),
})

/** The way of an e-manifest to customs. */
export function filingRoutes(app: App, marked: FilingMode): void {
  app.post(
    `${one}/validate`,
    {
      config,
      schema: {
        tags,
        operationId: 'validateEmanifest',
        summary: 'Validate an e-manifest',
        description:
          'Names everything that customs asks for and that is missing or wrong, each at its place. Where nothing is, a draft or rejected e-manifest is validated; where something is, a validated one is a draft again.',
        params,
        response: answers({
          200: Type.Object({
            valid: Type.Boolean({ description: 'Whether it can be submitted.', examples: [false] }),
            missing: Type.Array(Missing, { description: 'Everything that is missing or wrong.' }),
            emanifest: Type.Ref('Emanifest'),
          }),
        }),
      },
    },
    async (request) => {
      const { emanifest, missing } = await validateEmanifest(
        request.ctx,
        request.params.emanifestID,
        expectedIn(request),
      )
      const answer = record('emanifest', emanifest)
      return {
        ...answer,
        body: `{"valid":${missing.length === 0},"missing":${JSON.stringify(missing)},"emanifest":${emanifest.json}}`,
      }
    },
  )

  app.post(
    `${one}/submit`,
    {
      config,
      schema: {
        tags,
        operationId: 'submitEmanifest',
        summary: 'Submit an e-manifest',
        description:
          'Files a validated e-manifest: writes its X12 interchanges (309, and 358 where the border or the change asks for one) and hands them over in the background. Submitted once more, it files nothing again, and has tried again what could not be handed over.',
        params,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record('emanifest', await submitEmanifest(request.ctx, request.params.emanifestID, expectedIn(request), marked)),
  )

  app.post(
    `${one}/amend`,
    {
      config,
      preValidation: unwrap('emanifest'),
      schema: {
        tags,
        operationId: 'amendEmanifest',
        summary: 'Amend an e-manifest',
        description:
          'Begins a change of an accepted e-manifest, with the fields that are sent: it is a draft again, to be validated and submitted. What customs has accepted counts until then.',
        params,
        body: optional(Amendment),
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'emanifest',
        await amendEmanifest(
          request.ctx,
          request.params.emanifestID,
          (request.body ?? {}) as Edit,
          expectedIn(request),
        ),
      ),
  )

  app.post(
    `${one}/cancel`,
    {
      config,
      schema: {
        tags,
        operationId: 'cancelEmanifest',
        summary: 'Cancel an e-manifest',
        description:
          'Cancels an e-manifest. Of one that was filed a cancellation is filed, and it is cancelled when customs accepts that; any other is cancelled at once.',
        params,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record('emanifest', await cancelEmanifest(request.ctx, request.params.emanifestID, expectedIn(request), marked)),
  )
}
