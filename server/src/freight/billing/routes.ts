import { referenceParam } from '../../platform/core/schema/schema.ts'
import { created, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { emptyBody } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { nameIn, objectIn } from '../../records/v1/read.ts'
import { inV1Terms } from '../../records/v1/refusals.ts'
import { manifestResource, orderResource, type Resource } from '../../records/v1/resources.ts'
import { onlyOf } from '../../records/v1/write.ts'
import { billManifest, invoiceOrder } from './actions.ts'
import { BillAnswer, InvoiceAnswer } from './billing.ts'

/** The documents that are made from objects. */
export async function billingOfFreight(app: App): Promise<void> {
  app.post(
    `/manifests/:${manifestResource.param}/bill`,
    {
      config: { scope: manifestResource.kind.scope, alsoScopes: ['bills'] },
      schema: {
        tags: ['Manifests'],
        operationId: 'billManifest',
        summary: 'Bill a manifest',
        description:
          'Makes the carrier’s bill, a draft, from the payment items: a line for each. Once: asked again it answers 200 with the bill there is, until that is deleted or voided. Refused with 409 where there is nothing to bill, nobody to pay, no currency, or a payment item of an unknown type. The token needs the scope `bills` too.',
        params: paramsOf(manifestResource),
        body: emptyBody,
        response: answers({ 200: BillAnswer, 201: BillAnswer }),
      },
    },
    async (request) => {
      const { reference, permit, inTerms } = askedOf(manifestResource, request.params)
      const billed = await inTerms(() => billManifest(request.ctx, reference, expectedIn(request), permit))
      const answer = revised(billed)
      return billed.created ? created(answer, `/api/v1/bills/${billed.id}`) : answer
    },
  )

  app.post(
    `/orders/:${orderResource.param}/invoice`,
    {
      config: { scope: orderResource.kind.scope, alsoScopes: ['invoices'] },
      schema: {
        tags: ['Orders'],
        operationId: 'invoiceOrder',
        summary: 'Invoice an order',
        description:
          'Makes the customer’s invoice, a draft, from the rate and the charges: a line for each. Once: asked again it is refused with 409, naming the invoice there is, until that is deleted or voided. Refused with 409 too where there is nothing to invoice, no currency, or a charge of an unknown type. The token needs the scope `invoices` too.',
        params: paramsOf(orderResource),
        body: emptyBody,
        response: answers({ 201: InvoiceAnswer }),
      },
    },
    async (request) => {
      const { reference, permit, inTerms } = askedOf(orderResource, request.params)
      const invoice = await inTerms(() => invoiceOrder(request.ctx, reference, expectedIn(request), permit))
      return created(revised(invoice), `/api/v1/invoices/${invoice.id}`)
    },
  )
}

function paramsOf({ param, label, example, kind }: Resource) {
  return referenceParam(param, label, example, `${kind.prefix}-1`)
}

/** The object that a path names, and how what is refused of it is said in v1's words. */
function askedOf(resource: Resource, params: unknown) {
  const { param } = resource
  const reference = referenceIn((params as Record<string, string>)[param] as string, param, 'any')
  const id = nameIn(reference)
  return {
    reference: objectIn(resource, reference),
    permit: onlyOf(resource, id),
    inTerms: <T>(work: () => Promise<T>) => inV1Terms(resource, id, work),
  }
}
