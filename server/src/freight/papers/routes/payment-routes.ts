import type { FastifyRequest } from 'fastify'
import { readPayment } from '../../../books/payments/ledger/locks.ts'
import type { Direction } from '../../../books/payments/ledger/model.ts'
import { scopeOf } from '../../../books/payments/payables.ts'
import { transaction } from '../../../platform/context.ts'
import { referenceParam } from '../../../platform/core/schema/schema.ts'
import type { Answer } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { requireScope } from '../../../platform/http/edge/authenticate.ts'
import type { MailInput } from '../../../platform/mail/model.ts'
import { remittancePaper } from '../remittance.ts'
import { mailPayment } from '../sending.ts'
import { body, mailAnswer, mailed } from './mailing.ts'
import { paperRoute, referenceOf } from './paper-route.ts'

export function paymentPaper(app: App): void {
  const path = '/payments/:paymentID'
  const config = { scope: ['bills', 'invoices'] } as const
  const place = {
    path,
    config,
    tags: ['Payments'],
    params: referenceParam('paymentID', 'payment', undefined, 'PAY-000012'),
  }
  const allowed = async (request: Pick<FastifyRequest, 'ctx' | 'token' | 'params'>) => {
    const found = await readPayment(request.ctx, referenceOf(request.params, 'paymentID', 'PAY'))
    requireScope(request, scopeOf[JSON.parse(found.json).direction as Direction])
    return found
  }
  paperRoute(app, { ...place, name: 'Payment', what: 'the remittance advice of a payment' }, async (request) =>
    remittancePaper(request.ctx, (await allowed(request)).json),
  )

  app.post(
    `${path}/send`,
    {
      config: { ...config, right: 'pay' },
      schema: {
        tags: place.tags,
        operationId: 'sendPayment',
        summary: 'Mail the remittance advice of a payment',
        description:
          'Mails what a payment pays for to the addresses in `to`, or else to the `remittance_email` of the carrier’s payee, or else to the address of the carrier or customer. Answers the mail, which is sent in the background.',
        params: place.params,
        body,
        response: mailed,
      },
    },
    async (request): Promise<Answer> => {
      const found = await allowed(request as never)
      return transaction(request.ctx, async (ctx) =>
        mailAnswer(ctx, await mailPayment(ctx, found, request.body as MailInput)),
      )
    },
  )
}
