import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { requireCurrencies } from '../currencies/known.ts'
import { createRate, removeRate, updateRate } from './actions.ts'
import { conversionRoute } from './conversion-routes.ts'
import { ExchangeRate, ExchangeRateEdit, ExchangeRateSearch, NewExchangeRate } from './model.ts'
import { config, tags } from './paths.ts'
import { findRate, listRates } from './store.ts'

const params = Type.Object({ exchangeRateID: Id('The exchange rate.') })
const One = Type.Object({ exchange_rate: Type.Ref('ExchangeRate') })

export async function exchangeRates(app: App): Promise<void> {
  app.addSchema(ExchangeRate)

  app.get(
    '/exchange_rates',
    {
      config,
      schema: {
        tags,
        operationId: 'searchExchangeRates',
        summary: 'Search exchange rates',
        description: 'Lists the exchange rates that match every filter given, newest first, with the exact total.',
        querystring: ExchangeRateSearch,
        response: answers({ 200: envelopeOf('exchange_rates', Type.Ref('ExchangeRate')) }),
      },
    },
    async ({ ctx, query }) => {
      await requireCurrencies(ctx, query.from_currency_ids, 'from_currency_ids')
      await requireCurrencies(ctx, query.to_currency_ids, 'to_currency_ids')
      return ok(await listRates(ctx, query))
    },
  )

  app.post(
    '/exchange_rates',
    {
      config,
      schema: {
        tags,
        operationId: 'createExchangeRate',
        summary: 'Create an exchange rate',
        description:
          'Makes a rate for the days from `starts_on` to `ends_on`, or with no end. A rate without an end closes the one before it that had none; any other overlap is refused with 409. Documents keep the rates that they were saved with.',
        body: NewExchangeRate,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createRate(ctx, body)
      return created(record('exchange_rate', made), `/api/v1/exchange_rates/${id}`)
    },
  )

  conversionRoute(app)

  app.get(
    '/exchange_rates/:exchangeRateID',
    {
      config,
      schema: {
        ...{
          tags,
          operationId: 'getExchangeRate',
          summary: 'Get an exchange rate',
          description: 'Answers one exchange rate.',
          params,
        },
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { exchangeRateID } }) => {
      const found = await findRate(ctx, exchangeRateID)
      if (!found) throw notFound('exchange rate', exchangeRateID)
      return record('exchange_rate', found)
    },
  )

  app.put(
    '/exchange_rates/:exchangeRateID',
    {
      config,
      preValidation: unwrap('exchange_rate'),
      schema: {
        tags,
        operationId: 'updateExchangeRate',
        summary: 'Update an exchange rate',
        description:
          'Only the fields that are sent apply; its currencies stay. Documents keep the rates that they were saved with.',
        params,
        body: ExchangeRateEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(ExchangeRateEdit, request.body)
      return record(
        'exchange_rate',
        await updateRate(request.ctx, request.params.exchangeRateID, input, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    '/exchange_rates/:exchangeRateID',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteExchangeRate',
        summary: 'Delete an exchange rate',
        description: 'Deletes the exchange rate. Documents keep the rates that they were saved with.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeRate(request.ctx, request.params.exchangeRateID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{
      path: '/exchange_rates/:exchangeRateID',
      config,
      tags,
      params,
      name: 'ExchangeRate',
      one: 'an exchange rate',
      note: deletedToo,
    },
    recordIn({ ctx, params }) {
      const { exchangeRateID: id } = params as { exchangeRateID: string }
      return {
        type: 'exchange_rate',
        id,
        isThere: async () => Boolean(await findRate(ctx, id)),
        unknown: () => notFound('exchange rate', id),
      }
    },
  })
}
