import Type from 'typebox'
import { directionOf, idOf } from '../../books/payments/ledger/locks.ts'
import { scopeOf } from '../../books/payments/payables.ts'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import { type Answer, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { emptyBody } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { approveRun } from './actions.ts'
import { issueRun, returnPayment } from './issuing.ts'
import { Return, type Return as Returned } from './model.ts'
import { config, one, params, paying, response, runIn, tags } from './paths.ts'

export function moveRoutes(app: App): void {
  app.post(
    `${one}/approve`,
    {
      config: { ...config, right: 'approve' },
      schema: {
        tags,
        operationId: 'approvePaymentRun',
        summary: 'Approve a payment run',
        description:
          'Lets the run be issued. It needs another person than the one who made it; only where the organization has a single user, that one may approve, and the run says so.',
        params,
        body: emptyBody,
        response,
      },
    },
    async (request) =>
      record('payment_run', await approveRun(request.ctx, runIn(request.params.paymentRunID), expectedIn(request))),
  )

  app.post(
    `${one}/issue`,
    {
      config: paying,
      schema: {
        tags,
        operationId: 'issuePaymentRun',
        summary: 'Issue a payment run',
        description:
          'Issues all payments of an approved run and settles its bills, all or nothing. Where a bill, or what is set off, has changed since it was chosen it is a 409 `run_out_of_date`, where one is not approved any more a 409 `not_approved`, and where a change of a payee waits a 409 `payee_change_waiting`. A run that is issued already is answered as it is: nothing is paid twice.',
        params,
        body: emptyBody,
        response,
      },
    },
    async (request) =>
      record('payment_run', await issueRun(request.ctx, runIn(request.params.paymentRunID), expectedIn(request))),
  )
}

export function returnRoute(app: App): void {
  const ofPayment = referenceParam('paymentID', 'payment', undefined, 'PAY-000012')

  app.post(
    '/payments/:paymentID/return',
    {
      config: { scope: ['bills', 'invoices'], right: 'pay' },
      schema: {
        tags,
        operationId: 'returnPayment',
        summary: 'Return a payment',
        description:
          'Says that the bank sent a payment back: it is voided with the reason, its bills stand where they stood before and can be paid again, and what was set off with it, or given for early payment, is taken back. A payment that came back already is answered as it is: the code and the reason that were given first stay.',
        params: ofPayment,
        body: Return,
        response: answers({ 200: Type.Object({ payment: Type.Ref('Payment') }) }),
      },
    },
    async (request): Promise<Answer> => {
      const reference = referenceIn(request.params.paymentID, 'paymentID', 'PAY')
      requireScope(request, scopeOf[await directionOf(request.ctx, reference)])
      const id = await idOf(request.ctx, reference)
      return record(
        'payment',
        await returnPayment(request.ctx, { by: 'id', id }, id, request.body as Returned, expectedIn(request)),
      )
    },
  )
}
