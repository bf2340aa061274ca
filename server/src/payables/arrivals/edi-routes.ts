import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { conflict } from '../../core/refusal.ts'
import type { App } from '../../http/app.ts'
import { acceptTextBodies, textIn } from '../../http/media.ts'
import { answers } from '../../http/openapi.ts'
import { isDryRun } from '../../http/preferences.ts'
import { createInvoices, findArrived, listCreated } from '../carrier-invoices/creating.ts'
import { arrivedByEdi, type EdiInvoice, readFreightInvoices } from './edi.ts'
import { attachFiles, checkFile, type Keeping, keepFiles, removeFiles, type TakenFile } from './files.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The invoices of an interchange, and the file that it is kept as. */
    edi: { invoices: EdiInvoice[]; file: TakenFile } | null
  }
}

const type = 'application/edi-x12'

const example = [
  'ISA*00*          *00*          *02*CSCD           *ZZ*BLUERIDGE      *261115*0930*U*00401*000000123*0*P*>',
  'GS*IM*CSCD*BLUERIDGE*20261115*0930*123*X*004010',
  'ST*210*0001',
  'B3**INV-20417*TRIP-5521*PP**20261115*128000****CSCD',
  'C3*USD',
  'LX*1',
  'L1*1***100000****400',
  'LX*2',
  'L1*2***28000****405',
  'SE*8*0001',
  'GE*1*123',
  'IEA*1*000000123',
].join('~\n')

/** `keeping`: the interchange itself is kept as a document of its invoices. */
export const carrierInvoicesByEdi = (keeping: Keeping, bodyLimit: number) => async (app: App) => {
  acceptTextBodies(app as never, type)
  app.decorateRequest('edi', null)
  app.addHook('onResponse', async ({ edi }) => {
    if (edi) await removeFiles([edi.file])
  })

  app.post(
    '/carrier_invoices/edi',
    {
      config: { scope: 'bills', costs: 'import', takes: type },
      bodyLimit,
      preValidation: (request: FastifyRequest) => take(request, keeping),
      schema: {
        tags: ['Carrier invoices'],
        operationId: 'createCarrierInvoicesByEdi',
        summary: 'Create carrier invoices from EDI',
        description:
          'Takes an X12 file with transactions 210 (motor carrier freight details and invoice), in one interchange or several: each becomes a carrier invoice, all of them or none. The carrier is found by its SCAC, charges by their codes, the load by the references. What is malformed is a 400 that names the segment and the element. The control numbers tell a second arrival, which is a 409.',
        body: {
          content: { [type]: { schema: Type.String({ description: 'The interchange as it is, in ASCII or UTF-8.', examples: [`${example}~\n`] }) } },
        } as never,
        response: answers({ 201: Type.Object({ carrier_invoices: Type.Array(Type.Ref('CarrierInvoice'), { description: 'In the order of the file.' }) }) }),
      },
    },
    async (request) => {
      const { ctx } = request
      const { invoices, file } = request.edi as NonNullable<FastifyRequest['edi']>
      const before = await findArrived(
        ctx,
        invoices.map(({ source_key }) => source_key),
      )
      if (before.length > 0) throw conflict('arrived_before', `This interchange has arrived before, and its carrier invoices are there: ${before.join(', ')}.`)
      const storage = isDryRun(request) ? null : keeping.storage
      const ids = await createInvoices(ctx, await arrivedByEdi(ctx, invoices), (ctx, ids) => attachFiles(ctx, storage, [file], ids))
      return { status: 201, headers: {}, body: `{"carrier_invoices":[${(await listCreated(ctx, ids)).join(',')}]}` }
    },
  )
}

/** Before the handler, which may be one transaction: the content of a document is kept before any transaction that makes the document. */
async function take(request: FastifyRequest, keeping: Keeping): Promise<void> {
  const text = textIn(request, type)
  const invoices = readFreightInvoices(text)
  const [first] = invoices
  const name = `${first?.source_key.split(':')[4] ?? '210'}.edi`
  const file = await checkFile(keeping, { name, bytes: Buffer.from(text), documentType: 'invoice' })
  request.edi = { invoices, file }
  if (!isDryRun(request)) await keepFiles(request.ctx, keeping, [file])
}
