import Type from 'typebox'
import { bill } from '../../billing/bills/kind.ts'
import { referenceParam } from '../../core/schema.ts'
import { created, revised } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { requireScope } from '../../http/authenticate.ts'
import { expectedIn } from '../../http/conditional.ts'
import { bodyIsOptional } from '../../http/json-body.ts'
import { answers } from '../../http/openapi.ts'
import { referenceIn } from '../../http/params.ts'
import { billManifest } from '../manifests/actions.ts'
import { manifestFace } from './faces.ts'
import { nameIn, objectIn } from './read.ts'
import { inWordsOf } from './words.ts'
import { onlyOf } from './write.ts'

const { param, label, kind } = manifestFace

export function billing(app: App): void {
  app.post(
    `/manifests/:${param}/bill`,
    {
      config: { scope: kind.scope },
      preValidation: bodyIsOptional,
      schema: {
        tags: ['Manifests'],
        operationId: 'billManifest',
        summary: 'Bill a manifest',
        description:
          'Makes the carrier’s bill, a draft, from the payment items: a line for each. Once: asked again it answers 200 with the bill there is, until that is deleted. Refused with 409 where there is nothing to bill, nobody to pay, no currency, or a payment item of an unknown type. The token needs the scope `bills` too.',
        params: referenceParam(param, label),
        body: Type.Object({}),
        response: answers({ 200: bill.schemas.Found, 201: bill.schemas.Found }),
      },
    },
    async (request) => {
      const reference = referenceIn((request.params as Record<string, string>)[param] as string, param)
      const id = nameIn(reference)
      const permit = (objectKey: string) => {
        onlyOf(manifestFace, id)(objectKey)
        requireScope(request, 'bills')
      }
      const billed = await inWordsOf(manifestFace, id, () => billManifest(request.ctx, objectIn(manifestFace, reference), expectedIn(request), permit))
      const answer = revised(billed)
      return billed.created ? created(answer, `/api/v1/bills/${billed.id}`) : answer
    },
  )
}
