import Type from 'typebox'
import { envelopeOf, Id, paging } from '../../platform/core/schema/schema.ts'
import { type Answer, ok, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { pascal, withArticle } from '../documents/model/fields/shape.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { idIn, pathsOf } from '../documents/routes/paths.ts'
import { credits } from '../kinds/kinds.ts'
import { applyCredit, takeBackApplied } from './crediting.ts'
import type { Target } from './ledger/allocations-store.ts'
import { AllocationBody, type AllocationBody as Allocations } from './ledger/model.ts'
import { listPaymentsOf } from './ledger/search-store.ts'
import { paidKinds } from './payables.ts'

/** Under each document, what settles it; and what credits are applied to. */
export async function paymentsOfDocuments(app: App): Promise<void> {
  for (const { kind, target } of paidKinds) paymentsOf(app, kind, target)
  applying(app)
}

function paymentsOf(app: App, kind: Kind, target: Target): void {
  const { one, config, tags, params } = pathsOf(kind)
  app.get(
    `${one}/payments`,
    {
      config,
      schema: {
        tags,
        operationId: `list${pascal(kind.noun)}Payments`,
        summary: `The payments of ${withArticle(kind.noun)}`,
        description: `Lists what settles the ${kind.noun}, payments and credits, newest first, and what did before it was taken back.`,
        params,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('payments', Type.Ref('DocumentPayment')) }),
      },
    },
    async ({ ctx, params, query }) =>
      ok(await listPaymentsOf(ctx, target, await idIn(ctx, kind, params), query as object)),
  )
}

function applying(app: App): void {
  const { one, config, tags, params, referenceIn } = pathsOf(credits)
  const response = answers({ 200: credits.schemas.Found })

  app.post(
    `${one}/apply`,
    {
      config: { ...config, right: 'pay' },
      schema: {
        tags,
        operationId: 'applyCredit',
        summary: 'Apply a credit',
        description:
          'Settles bills of the carrier, or invoices of the customer, with what is left of the credit: those in `allocations`, or with `oldest_first` those that are due longest.',
        params,
        body: AllocationBody,
        response,
      },
    },
    async (request): Promise<Answer> =>
      revised(
        await applyCredit(request.ctx, referenceIn(request.params), request.body as Allocations, expectedIn(request)),
      ),
  )

  app.delete(
    `${one}/allocations/:allocationID`,
    {
      config: { ...config, right: 'pay' },
      schema: {
        tags,
        operationId: 'removeCreditAllocation',
        summary: 'Take back what a credit was applied to',
        description:
          'Takes back what the credit settled of one document, and answers the credit, which has that much more left. Of a credit that writes off an invoice it is a 409 `is_write_off`: the write-off is taken back instead.',
        params: Type.Object({ ...params.properties, allocationID: Id('The allocation.') }),
        response,
      },
    },
    async (request): Promise<Answer> => {
      const { allocationID } = request.params as { allocationID: string }
      return revised(await takeBackApplied(request.ctx, referenceIn(request.params), allocationID, expectedIn(request)))
    },
  )
}
