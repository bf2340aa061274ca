import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { createTaxRate, removeTaxRate, updateTaxRate } from './actions.ts'
import { NewTaxRate, TaxRate, TaxRateEdit, TaxRateSearch } from './model.ts'
import { findTaxRate, listTaxRates } from './store.ts'

const config = { scope: 'bills' } as const
const tags = ['Tax rates']
const params = Type.Object({ taxRateID: Id('The tax rate.') })
const One = Type.Object({ tax_rate: Type.Ref('TaxRate') })

/** `lineTables` are the tables of the lines of documents, which may carry a rate. */
export const taxRates = (lineTables: readonly string[]) => async (app: App) => {
  app.addSchema(TaxRate)

  app.get(
    '/tax_rates',
    {
      config,
      schema: {
        tags,
        operationId: 'searchTaxRates',
        summary: 'Search tax rates',
        description: 'Lists the tax rates of the organization, newest first, with the exact total.',
        querystring: TaxRateSearch,
        response: answers({ 200: envelopeOf('tax_rates', Type.Ref('TaxRate')) }),
      },
    },
    async ({ ctx, query }) => ok(await listTaxRates(ctx, query)),
  )

  app.post(
    '/tax_rates',
    {
      config,
      schema: {
        tags,
        operationId: 'createTaxRate',
        summary: 'Create a tax rate',
        description:
          'Makes a tax rate. Where it has components, their percents come to its own, which can then be left out.',
        body: NewTaxRate,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createTaxRate(ctx, body)
      return created(record('tax_rate', made), `/api/v1/tax_rates/${id}`)
    },
  )

  app.get(
    '/tax_rates/:taxRateID',
    {
      config,
      schema: {
        tags,
        operationId: 'getTaxRate',
        summary: 'Get a tax rate',
        description: 'Answers one tax rate.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { taxRateID } }) => {
      const found = await findTaxRate(ctx, taxRateID)
      if (!found) throw notFound('tax rate', taxRateID)
      return record('tax_rate', found)
    },
  )

  app.put(
    '/tax_rates/:taxRateID',
    {
      config,
      preValidation: unwrap('tax_rate'),
      schema: {
        tags,
        operationId: 'updateTaxRate',
        summary: 'Update a tax rate',
        description:
          'Only the fields that are sent apply; `components` are replaced as a whole. Once a line carries the rate, its percent and components are fixed, which is a 409: make another rate, and set `active` of this one to false.',
        params,
        body: TaxRateEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(TaxRateEdit, request.body)
      return record(
        'tax_rate',
        await updateTaxRate(request.ctx, request.params.taxRateID, input, expectedIn(request), lineTables),
        naming(ignored),
      )
    },
  )

  app.delete(
    '/tax_rates/:taxRateID',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteTaxRate',
        summary: 'Delete a tax rate',
        description: 'Deletes the tax rate. It is refused with 409 while lines carry it.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeTaxRate(request.ctx, request.params.taxRateID, expectedIn(request), lineTables)
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: '/tax_rates/:taxRateID', config, tags, params, name: 'TaxRate', one: 'a tax rate', note: deletedToo },
    recordIn({ ctx, params }) {
      const { taxRateID: id } = params as { taxRateID: string }
      return {
        type: 'tax_rate',
        id,
        isThere: async () => Boolean(await findTaxRate(ctx, id)),
        unknown: () => notFound('tax rate', id),
      }
    },
  })
}
