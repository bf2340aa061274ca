import { Refusal } from '../../platform/core/refusal.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { minorUnits, requireCurrencies } from '../currencies/known.ts'
import { convert, keptRate } from './conversion.ts'
import { rateBetween } from './lookup.ts'
import { Conversion, ConvertQuery } from './model.ts'
import { config, tags } from './paths.ts'

export function conversionRoute(app: App): void {
  app.get(
    '/exchange_rates/convert',
    {
      config,
      schema: {
        tags,
        operationId: 'convertAmount',
        summary: 'Convert an amount',
        description:
          'Converts an amount by the rate of a day. Where only a rate in the other direction is known, its inverse is used; never a chain of rates. Without a rate it is a 404.',
        querystring: ConvertQuery,
        response: answers({ 200: Conversion }),
      },
    },
    async ({ ctx, query }) => {
      const { amount } = query
      await requireCurrencies(ctx, [query.from], 'from')
      await requireCurrencies(ctx, [query.to], 'to')
      const [from, to] = [query.from.toLowerCase(), query.to.toLowerCase()]
      const found = await rateBetween(ctx, from, to, query.on)
      if (!found.rate)
        throw new Refusal(
          'not_found',
          'exchange_rate_missing',
          `No exchange rate between ${from} and ${to} is known for ${found.on}.`,
        )
      const { rate, on, exchange_rate_id, is_inverse } = found
      const converted_amount = convert(amount, rate, from, to, await minorUnits(ctx), 'converted_amount')
      return ok(
        JSON.stringify({
          from_currency_id: from,
          to_currency_id: to,
          amount,
          converted_amount,
          rate: keptRate(rate),
          is_inverse,
          exchange_rate_id,
          on,
        }),
      )
    },
  )
}
