import Type from 'typebox'
import { referenceParam } from '../core/schema.ts'
import { created, revised } from '../http/answers.ts'
import type { App } from '../http/app.ts'
import { expectedIn } from '../http/conditional.ts'
import { optional } from '../http/json-body.ts'
import { answers } from '../http/openapi.ts'
import { referenceIn } from '../http/params.ts'
import { nameIn, objectIn } from '../objects/v1/read.ts'
import { inV1Terms } from '../objects/v1/refusals.ts'
import { manifestResource } from '../objects/v1/resources.ts'
import { onlyOf } from '../objects/v1/write.ts'
import { billManifest } from './actions.ts'
import { BillAnswer } from './bills.ts'

const { param, label, kind, example } = manifestResource

export async function manifestBilling(app: App): Promise<void> {
  app.post(
    `/manifests/:${param}/bill`,
    {
      config: { scope: kind.scope, alsoScopes: ['bills'] },
      schema: {
        tags: ['Manifests'],
        operationId: 'billManifest',
        summary: 'Bill a manifest',
        description:
          'Makes the carrier’s bill, a draft, from the payment items: a line for each. Once: asked again it answers 200 with the bill there is, until that is deleted. Refused with 409 where there is nothing to bill, nobody to pay, no currency, or a payment item of an unknown type. The token needs the scope `bills` too.',
        params: referenceParam(param, label, example),
        body: optional(Type.Object({})),
        response: answers({ 200: BillAnswer, 201: BillAnswer }),
      },
    },
    async (request) => {
      const reference = referenceIn((request.params as Record<string, string>)[param] as string, param)
      const id = nameIn(reference)
      const permit = onlyOf(manifestResource, id)
      const billed = await inV1Terms(manifestResource, id, () => billManifest(request.ctx, objectIn(manifestResource, reference), expectedIn(request), permit))
      const answer = revised(billed)
      return billed.created ? created(answer, `/api/v1/bills/${billed.id}`) : answer
    },
  )
}
