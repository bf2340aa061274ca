import { Readable } from 'node:stream'
import Type from 'typebox'
import { Id, nullable, Time } from '../../platform/core/schema/schema.ts'
import { type Answer, ok, revised, withFields } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { emptyBody } from '../../platform/http/input/json-body.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { requireBankDetailsRight } from '../payees/recorded/rights.ts'
import { Advised, sendAdvices } from './advising.ts'
import { fileOfRun } from './files/actions.ts'
import { type FileFormat, fileFormats } from './files/model.ts'
import { findAdvices } from './files/store.ts'
import { SetOffShown } from './model.ts'
import { config, one, params, paying, requireRun, runIn, tags } from './paths.ts'

const fileTypes = { nacha: 'text/plain', pain001: 'application/xml', csv: 'text/csv' } as const

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

/** What is made of an issued run: files for the bank, and advices for those who are paid. */
export function fileRoutes(app: App, vault: Vault): void {
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
      const { id } = await requireRun(ctx, paymentRunID)
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
      const { id, json } = await requireRun(ctx, paymentRunID)
      const isIssued = (JSON.parse(json) as { status: string }).status === 'issued'
      return ok(`{"remittance_advices":${isIssued ? await findAdvices(ctx, id) : '[]'}}`)
    },
  )
}

export function adviceMailRoute(app: App): void {
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
        body: emptyBody,
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
