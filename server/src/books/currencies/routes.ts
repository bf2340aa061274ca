import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, paging } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { findCurrency, listCurrencies } from './store.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })

const Currency = Type.Object(
  {
    id: text('The lower-case code.', 'usd'),
    name: text('The name in ISO 4217.', 'US Dollar'),
    description: text('Name and code.', 'US Dollar (USD)'),
    iso_4217: text('The code in ISO 4217.', 'USD'),
    symbol: text('How it is written.', '$'),
    minor_units: Type.Integer({ description: 'How many decimals its amounts are shown with.', examples: [2] }),
  },
  { $id: 'Currency', description: 'A currency of ISO 4217.' },
)

const config = { scope: 'bills' } as const
const tags = ['Currencies']

export async function currencies(app: App): Promise<void> {
  app.addSchema(Currency)
  app.get(
    '/currencies',
    {
      config,
      schema: {
        tags,
        operationId: 'searchCurrencies',
        summary: 'Search currencies',
        description: 'Lists all active currencies of ISO 4217, by code.',
        querystring: Type.Object({
          search_term: Type.Optional(
            Type.String({
              maxLength: 100,
              description: 'Keeps those that contain this in code or name.',
              examples: ['dollar'],
            }),
          ),
          ...paging,
        }),
        response: answers({ 200: envelopeOf('currencies', Type.Ref('Currency')) }),
      },
    },
    async ({ ctx, query }) => ok(await listCurrencies(ctx, query)),
  )

  app.get(
    '/currencies/:currencyID',
    {
      config,
      schema: {
        tags,
        ...neverNotModified,
        operationId: 'getCurrency',
        summary: 'Get a currency',
        description: 'Answers a currency by its code, in upper or lower case.',
        params: Type.Object({
          currencyID: Type.String({ pattern: '^[A-Za-z]{3}$', description: 'The code.', examples: ['usd'] }),
        }),
        response: answers({ 200: Type.Object({ currency: Type.Ref('Currency') }) }),
      },
    },
    async ({ ctx, params: { currencyID } }) => {
      const found = await findCurrency(ctx, currencyID)
      if (!found) throw notFound('currency', currencyID)
      return ok(`{"currency":${found}}`)
    },
  )
}
