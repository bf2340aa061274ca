import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { emptyBody } from '../../platform/http/input/json-body.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { closePeriod, createPeriod, removePeriod, reopenPeriod } from './actions.ts'
import { AccountingPeriod, AccountingPeriodSearch, NewAccountingPeriod, Reopening } from './model.ts'
import { findPeriod, listPeriods } from './store.ts'

const reading = { scope: 'any' } as const
const writing = { scope: 'users', right: 'administer' } as const
const tags = ['Accounting periods']
const all = '/accounting_periods'
const one = `${all}/:accountingPeriodID`
const params = Type.Object({ accountingPeriodID: Id('The accounting period.') })
const One = Type.Object({ accounting_period: Type.Ref('AccountingPeriod') })

export async function accountingPeriods(app: App): Promise<void> {
  app.addSchema(AccountingPeriod)

  app.get(
    all,
    {
      config: reading,
      schema: {
        tags,
        operationId: 'searchAccountingPeriods',
        summary: 'Search accounting periods',
        description:
          'Lists the accounting periods that match every filter given, the latest first, with the exact total. Any good token will do.',
        querystring: AccountingPeriodSearch,
        response: answers({ 200: envelopeOf('accounting_periods', Type.Ref('AccountingPeriod')) }),
      },
    },
    async ({ ctx, query }) => ok(await listPeriods(ctx, query)),
  )

  app.post(
    all,
    {
      config: writing,
      schema: {
        tags,
        operationId: 'createAccountingPeriod',
        summary: 'Create an accounting period',
        description:
          'Makes an open period of the days from `starts_on` to `ends_on`. Periods never overlap: that is a 409. It needs the role admin.',
        body: NewAccountingPeriod,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createPeriod(ctx, body)
      return created(record('accounting_period', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getAccountingPeriod',
        summary: 'Get an accounting period',
        description: 'Answers the accounting period. Any good token will do.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { accountingPeriodID: id } }) => {
      const found = await findPeriod(ctx, id)
      if (!found) throw notFound('accounting period', id)
      return record('accounting_period', found)
    },
  )

  app.post(
    `${one}/close`,
    {
      config: writing,
      schema: {
        tags,
        operationId: 'closeAccountingPeriod',
        summary: 'Close an accounting period',
        description:
          'Fixes everything that is dated in the period: bills, invoices, credits and payments of those days can neither be created nor changed, voided or deleted, nor moved there; each try is a 409 `period_closed`. A payment that is dated in an open period may still settle a document of a closed one. What was being written at that moment is there as a whole before this is answered, or refused. It needs the role admin.',
        params,
        body: emptyBody,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'accounting_period',
        await closePeriod(request.ctx, request.params.accountingPeriodID, expectedIn(request)),
      ),
  )

  app.post(
    `${one}/reopen`,
    {
      config: writing,
      schema: {
        tags,
        operationId: 'reopenAccountingPeriod',
        summary: 'Reopen an accounting period',
        description: 'Opens a closed period again. It needs a reason, which its event keeps, and the role admin.',
        params,
        body: Reopening,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'accounting_period',
        await reopenPeriod(request.ctx, request.params.accountingPeriodID, request.body.reason, expectedIn(request)),
      ),
  )

  app.delete(
    one,
    {
      config: writing,
      schema: {
        tags,
        operationId: 'deleteAccountingPeriod',
        summary: 'Delete an accounting period',
        description: 'Deletes an open period; a closed one is a 409. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removePeriod(request.ctx, request.params.accountingPeriodID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{
      path: one,
      config: reading,
      tags,
      params,
      name: 'AccountingPeriod',
      one: 'an accounting period',
      note: deletedToo,
    },
    recordIn({ ctx, params }) {
      const { accountingPeriodID: id } = params as { accountingPeriodID: string }
      return {
        type: 'accounting_period',
        id,
        isThere: async () => Boolean(await findPeriod(ctx, id)),
        unknown: () => notFound('accounting period', id),
      }
    },
  })
}
