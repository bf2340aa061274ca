import { Readable } from 'node:stream'
import { directionOf, idOf } from '../../books/payments/ledger/locks.ts'
import { scopeOf } from '../../books/payments/payables.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id, nullable, paging, referenceParam, Time } from '../../platform/core/schema/schema.ts'
import Type from '../../platform/core/schema/type.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import {
  type Answer,
  created,
  noContent,
  ok,
  record,
  revised,
  withFields,
} from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../platform/security-log/visitor.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { requireBankDetailsRight } from '../payees/recorded/rights.ts'
import { approveRun, createRun, removeRun, takeOut, takeOutSetOff } from './actions.ts'
import { Advised, sendAdvices } from './advising.ts'
import { fileOfRun } from './files/actions.ts'
import { type FileFormat, fileFormats } from './files/model.ts'
import { findAdvices } from './files/store.ts'
import { issueRun, returnPayment } from './issuing.ts'
import {
  NewPaymentRun,
  PaymentRun,
  PaymentRunSearch,
  Return,
  type Return as Returned,
  RunPayment,
  SetOffShown,
} from './model.ts'
import { findRun, listPaymentsOfRun, listRuns } from './store.ts'

const config = { scope: 'bills' } as const
const paying = { scope: 'bills', right: 'pay' } as const
const tags = ['Payment runs']
const all = '/payment_runs'
const one = `${all}/:paymentRunID`
const params = referenceParam('paymentRunID', 'payment run', undefined, 'RUN-000012')
const One = Type.Object({ payment_run: Type.Ref('PaymentRun') })
const response = answers({ 200: One })
const fileTypes = { nacha: 'text/plain', pain001: 'application/xml', csv: 'text/csv' } as const

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
    async ({ ctx, params: { paymentRunID } }) => record('payment_run', await found(ctx, paymentRunID)),
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

  parts(app)
  moves(app)
  files(app, vault)
  advising(app)
  returning(app)

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'PaymentRun', one: 'a payment run', note: deletedToo },
    recordIn({ ctx, params }) {
      const { paymentRunID: sent } = params as { paymentRunID: string }
      const find = async (reference: Reference) => (await findRun(ctx, reference))?.id
      return recordedBy(runIn(sent), { type: 'payment_run', what: 'payment run', sent, find })
    },
  })
}

function parts(app: App): void {
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
      ok(await listPaymentsOfRun(ctx, (await found(ctx, paymentRunID)).id, query)),
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
        params: Type.Object({ ...params.properties, billID: Id('The bill.') }),
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

function moves(app: App): void {
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
        body: optional(Type.Object({})),
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
        body: optional(Type.Object({})),
        response,
      },
    },
    async (request) =>
      record('payment_run', await issueRun(request.ctx, runIn(request.params.paymentRunID), expectedIn(request))),
  )
}

function files(app: App, vault: Vault): void {
  app.get(
    `${one}/files/:format`,
    {
      config: { ...config, right: 'see_bank_details', offers: Object.values(fileTypes) },
      schema: {
        tags,
        operationId: 'getPaymentRunFile',
        summary: 'Download a file of a payment run',
        description:
          'Answers a file for the bank, made from what was issued: `nacha` with the ACH payments in US dollars, `pain001` (ISO 20022 pain.001.001.09) with the wires, `csv` with all payments. No payment is in two bank files or moves from one to the other, and the same run gives the same bytes and ids each time. Who has asked is kept in the security log. It needs the right `see_bank_details`.',
        params: Type.Object({
          ...params.properties,
          format: Type.Enum([...fileFormats], { description: 'Which file.', examples: ['csv'] }),
        }),
        response: answers({
          200: {
            description: 'The file.',
            content: Object.fromEntries(
              Object.values(fileTypes).map((type) => [
                type,
                { schema: Type.String({ description: 'The file.', examples: ['payment,method'] }) },
              ]),
            ),
          } as never,
        }),
      },
    },
    async ({ ctx, params: { paymentRunID, format } }): Promise<Answer> => {
      await requireBankDetailsRight(ctx)
      const { id } = await found(ctx, paymentRunID)
      const { text, type, name } = await fileOfRun(ctx, vault, id, format as FileFormat)
      const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
      return { status: 200, headers, body: null, stream: Readable.from([text]) }
    },
  )

  app.get(
    `${one}/remittance_advices`,
    {
      config,
      schema: {
        tags,
        operationId: 'listRemittanceAdvices',
        summary: 'The remittance advices of a payment run',
        description:
          'Answers for each payee of an issued run what it was paid: the payments, and of each bill its total, what was taken off, and what was paid.',
        params,
        response: answers({ 200: Type.Object({ remittance_advices: Type.Array(Advice) }) }),
      },
    },
    async ({ ctx, params: { paymentRunID } }) => {
      const { id, json } = await found(ctx, paymentRunID)
      const isIssued = (JSON.parse(json) as { status: string }).status === 'issued'
      return ok(`{"remittance_advices":${isIssued ? await findAdvices(ctx, id) : '[]'}}`)
    },
  )
}

function advising(app: App): void {
  app.post(
    `${one}/send`,
    {
      config: paying,
      schema: {
        tags,
        operationId: 'sendRemittanceAdvices',
        summary: 'Mail the remittance advices of a payment run',
        description:
          'Mails each payee of an issued run that has a `remittance_email` the advice of every payment to it, as a PDF file; `not_mailed_because` names those that have none. What became of each mail is under `/mails`.',
        params,
        body: optional(Type.Object({})),
        response: answers({ 200: Type.Object({ payment_run: Type.Ref('PaymentRun'), ...Advised.properties }) }),
      },
    },
    async (request) => {
      const { advised, revision, json } = await sendAdvices(
        request.ctx,
        runIn(request.params.paymentRunID),
        expectedIn(request),
      )
      return revised({ revision, json: withFields(`{"payment_run":${json}}`, advised) })
    },
  )
}

const amount = (description: string) => Type.Integer({ description, examples: [185000] })
const text = (description: string, example: string) => Type.String({ description, examples: [example] })

const Advice = Type.Object({
  payee_id: Id('The payee.'),
  payee_name: text('The name of its account.', 'Cascade Carriers LLC'),
  remittance_email: nullable(text('Where the advice goes.', 'ar@cascade.example')),
  currency_id: text('The currency.', 'usd'),
  total_amount: amount('What it was paid in all.'),
  payments: Type.Array(
    Type.Object({
      payment_id: Id('The payment.'),
      number: text('Its number.', 'PAY-000012'),
      method: text('How it was paid.', 'ach'),
      paid_at: Time('When it was paid.'),
      partner_carrier_id: Id('The carrier for which it was paid.'),
      amount: amount('What was paid.'),
      set_offs: Type.Array(SetOffShown, { description: 'What was set off against its bills.' }),
      bills: Type.Array(
        Type.Object({
          bill_id: Id('The bill.'),
          number: nullable(text('Its number.', 'BILL-000123')),
          reference_number: nullable(text('The number that the carrier knows it by.', 'INV-20417')),
          bill_date: nullable(Time('Its date.')),
          total_amount: amount('What it came to.'),
          discount_amount: amount('What was taken off for early payment.'),
          set_off_amount: amount('What of it was set off.'),
          amount: amount('What was paid of it.'),
        }),
        { description: 'The bills that it pays.' },
      ),
    }),
    { description: 'Its payments.' },
  ),
})

function returning(app: App): void {
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

function runIn(sent: string): Reference {
  return referenceIn(sent, 'paymentRunID', 'RUN')
}

async function found(ctx: Parameters<typeof findRun>[0], sent: string) {
  const run = await findRun(ctx, runIn(sent))
  if (!run) throw notFound('payment run', sent)
  return run
}
