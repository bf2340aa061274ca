import { Readable } from 'node:stream'
import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id } from '../../platform/core/schema/schema.ts'
import { type Answer, ok, record } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { EdiInterchange, EdiInterchangeSearch } from './interchanges-model.ts'
import { findAcknowledgement, listInterchanges, listInterchangesJson } from './interchanges-store.ts'

const config = { scope: 'bills' } as const
const tags = ['Carrier invoices']
const all = '/edi_interchanges'
const one = `${all}/:ediInterchangeID`
const params = Type.Object({ ediInterchangeID: Id('The interchange.') })
const type = 'application/edi-x12'

export async function ediInterchanges(app: App): Promise<void> {
  app.addSchema(EdiInterchange)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchEdiInterchanges',
        summary: 'Search EDI interchanges',
        description:
          'Lists the EDI interchanges that arrived, taken or rejected, by whichever way, newest first, with the exact total.',
        querystring: EdiInterchangeSearch,
        response: answers({ 200: envelopeOf('edi_interchanges', Type.Ref('EdiInterchange')) }),
      },
    },
    async ({ ctx, query }) => ok(await listInterchanges(ctx, query)),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getEdiInterchange',
        summary: 'Get an EDI interchange',
        description:
          'Answers what became of an EDI interchange: whether it was taken, what was wrong with it, and its carrier invoices.',
        params,
        response: answers({ 200: Type.Object({ edi_interchange: Type.Ref('EdiInterchange') }) }),
      },
    },
    async ({ ctx, params: { ediInterchangeID } }) => {
      const [found] = await listInterchangesJson(ctx, [ediInterchangeID])
      if (!found) throw notFound('EDI interchange', ediInterchangeID)
      // It never changes.
      return record('edi_interchange', { revision: 1, json: found.json })
    },
  )

  app.get(
    `${one}/acknowledgement`,
    {
      config: { ...config, offers: [type] },
      schema: {
        tags,
        operationId: 'getEdiAcknowledgement',
        summary: 'Download the acknowledgement of an EDI interchange',
        description:
          'Answers the functional acknowledgement (X12 997) for its sender: for each group and transaction whether it was accepted, accepted with errors or rejected, with the segments and elements that are wrong (AK3, AK4). What is wrong with the envelope itself is said by a TA1.',
        params,
        response: answers({
          200: {
            description: 'The acknowledgement.',
            content: {
              [type]: { schema: Type.String({ description: 'The interchange.', examples: ['ISA*00*          *00*'] }) },
            },
          } as never,
        }),
      },
    },
    async ({ ctx, params: { ediInterchangeID } }): Promise<Answer> => {
      const found = await findAcknowledgement(ctx, ediInterchangeID)
      if (!found) throw notFound('EDI interchange', ediInterchangeID)
      const name = `${String(found.number).padStart(9, '0')}.997`
      const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
      return { status: 200, headers, body: null, stream: Readable.from([found.text]) }
    },
  )
}
