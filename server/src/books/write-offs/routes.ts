import Type from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'
import { type Answer, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { voidBody } from '../documents/model/move-bodies.ts'
import { pathsOf } from '../documents/routes/paths.ts'
import { invoices } from '../kinds/kinds.ts'
import { voidWriteOff, writeOff } from './actions.ts'
import { type WriteOffBody as WriteOff, WriteOffBody } from './model.ts'

/** What customers will not pay. */
export async function writeOffs(app: App): Promise<void> {
  const { one, config, tags, params, referenceIn } = pathsOf(invoices)
  const response = answers({ 200: invoices.schemas.Found })

  app.post(
    `${one}/write_off`,
    {
      config: { ...config, right: 'pay' },
      schema: {
        tags,
        operationId: 'writeOffInvoice',
        summary: 'Write off an invoice',
        description:
          'Gives up what is due of the invoice, or a part of it: a credit of the customer is made and applied to the invoice, in one step. The lines of the credit have the bill item type “Write-off”, which is made where there is none, and name the orders of the invoice in proportion to what it charges for each. Never more than `amount_due` is written off. The invoice is `paid` where nothing is due any more. It needs the rights `enter` and `pay`, and an open accounting period today.',
        params,
        body: WriteOffBody,
        response,
      },
    },
    async (request): Promise<Answer> =>
      revised(await writeOff(request.ctx, referenceIn(request.params), request.body as WriteOff, expectedIn(request))),
  )

  app.post(
    `${one}/write_offs/:creditID/void`,
    {
      config: { ...config, right: 'pay' },
      schema: {
        tags,
        operationId: 'voidWriteOff',
        summary: 'Take back a write-off',
        description:
          'Voids the credit by which the invoice was written off, and answers the invoice, which owes that much again. `GET /invoices/{invoiceID}/payments` names the credit. It needs the rights `enter` and `pay`, and a reason.',
        params: Type.Object({ ...params.properties, creditID: Id('The credit that the write-off has made.') }),
        body: voidBody('The customer has paid after all'),
        response,
      },
    },
    async (request): Promise<Answer> => {
      const { creditID } = request.params as unknown as { creditID: string }
      return revised(
        await voidWriteOff(
          request.ctx,
          referenceIn(request.params),
          creditID.toLowerCase(),
          request.body.reason,
          expectedIn(request),
        ),
      )
    },
  )
}
