import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { envelopeOf, Id, paging } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../platform/security-log/visitor.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { createRun, removeRun, takeOut, takeOutSetOff } from './actions.ts'
import { adviceMailRoute, fileRoutes } from './file-routes.ts'
import { NewPaymentRun, PaymentRun, PaymentRunSearch, RunPayment } from './model.ts'
import { moveRoutes, returnRoute } from './move-routes.ts'
import { all, config, One, one, params, paying, requireRun, response, runIn, tags } from './paths.ts'
import { findRun, listPaymentsOfRun, listRuns } from './store.ts'

export const paymentRuns = (vault: Vault) => async (app: App) => {
  app.addSchema(PaymentRun)
  app.addSchema(RunPayment)
  noteVisits(app)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPaymentRuns',
        summary: 'Search payment runs',
        description: 'Lists the payment runs that match every filter given, newest first, with the exact total.',
        querystring: PaymentRunSearch,
        response: answers({ 200: envelopeOf('payment_runs', Type.Ref('PaymentRun')) }),
      },
    },
    async ({ ctx, query }) => ok(await listRuns(ctx, query)),
  )

  app.post(
    all,
    {
      config: paying,
      schema: {
        tags,
        operationId: 'createPaymentRun',
        summary: 'Create a payment run',
        description:
          'Chooses the bills that are due until a day, those without a due date by their own date, and, where bills are approved, approved; and makes a draft of a payment for each carrier, to its payee. A bill is in one run at a time. What the carrier owes us, open credits and payments that settle nothing yet, is set off against its bills unless `set_off_credits` is false. Carriers without a payee, those whose payee has a change that waits, those whose credits come to as much as they are owed, and those with bills that are not approved are named in `left_out`. Where nothing can be paid it is a 409 `nothing_due`, whose message says why the open bills were not chosen, and whose `details` name each carrier that was left out.',
        body: NewPaymentRun,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createRun(ctx, body)
      return created(record('payment_run', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPaymentRun',
        summary: 'Get a payment run',
        description: 'Answers the payment run and what it comes to.',
        params,
        response,
      },
    },
    async ({ ctx, params: { paymentRunID } }) => record('payment_run', await requireRun(ctx, paymentRunID)),
  )

  app.delete(
    one,
    {
      config: paying,
      schema: {
        tags,
        operationId: 'deletePaymentRun',
        summary: 'Delete a payment run',
        description:
          'Deletes a run that is not issued with its drafts; its bills can be chosen again. One that is issued is a 409.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeRun(request.ctx, runIn(request.params.paymentRunID), expectedIn(request))
      return noContent
    },
  )

  contentRoutes(app)
  moveRoutes(app)
  fileRoutes(app, vault)
  adviceMailRoute(app)
  returnRoute(app)

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'PaymentRun', one: 'a payment run', note: deletedToo },
    recordIn({ ctx, params }) {
      const { paymentRunID: sent } = params as { paymentRunID: string }
      const find = async (reference: Reference) => (await findRun(ctx, reference))?.id
      return recordedBy(runIn(sent), { type: 'payment_run', what: 'payment run', sent, find })
    },
  })
}

/** What is in a run: its payments, and what of it is taken out. */
function contentRoutes(app: App): void {
  app.get(
    `${one}/payments`,
    {
      config,
      schema: {
        tags,
        operationId: 'listPaymentRunPayments',
        summary: 'The payments of a payment run',
        description:
          'Lists the payments of the run, where each goes, its bank details masked, and the bills that it pays.',
        params,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('payments', Type.Ref('PaymentRunPayment')) }),
      },
    },
    async ({ ctx, params: { paymentRunID }, query }) =>
      ok(await listPaymentsOfRun(ctx, (await requireRun(ctx, paymentRunID)).id, query)),
  )

  app.delete(
    `${one}/bills/:billID`,
    {
      config: paying,
      schema: {
        tags,
        operationId: 'removeBillFromPaymentRun',
        summary: 'Take a bill out of a payment run',
        description:
          'Takes the bill out of a run that is not issued, and answers the run. One that was approved is a draft again, since it is another run now.',
        params: Type.Object({ ...params.properties, billID: named('BillUuid', Id('The bill.')) }),
        response,
      },
    },
    async (request) =>
      record(
        'payment_run',
        await takeOut(request.ctx, runIn(request.params.paymentRunID), request.params.billID, expectedIn(request)),
      ),
  )

  app.delete(
    `${one}/set_offs/:setOffID`,
    {
      config: paying,
      schema: {
        tags,
        operationId: 'removeSetOffFromPaymentRun',
        summary: 'Take a set-off out of a payment run',
        description:
          'Takes a credit, or what is left of an earlier payment, out of a run that is not issued, and answers the run: the carrier is paid so much more. A run that was approved is a draft again.',
        params: Type.Object({ ...params.properties, setOffID: Id('The set-off, as the payments of the run show it.') }),
        response,
      },
    },
    async (request) =>
      record(
        'payment_run',
        await takeOutSetOff(
          request.ctx,
          runIn(request.params.paymentRunID),
          request.params.setOffID,
          expectedIn(request),
        ),
      ),
  )
}
