import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import { acceptTextBodies, textIn } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { isDryRun } from '../../platform/http/input/preferences.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { OutlinedInterchange } from '../../platform/x12/outline.ts'
import { faultsIn } from '../../platform/x12/read.ts'
import { createInvoices, findArrived, listCreated } from '../carrier-invoices/received/creating.ts'
import type { ArrivedInvoice } from '../carrier-invoices/received/model.ts'
import { attachFiles, checkFile, type FileStore, keepFiles, removeFiles, type TakenFile } from './files.ts'
import { findInterchanges, keepInterchanges } from './interchanges.ts'
import { listInterchangesJson } from './interchanges-store.ts'
import { arrivedByEdi, type EdiInvoice } from './reading/edi.ts'
import { freightInvoicesApart, outlineApart } from './reading/edi-apart.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The invoices of a file of EDI, those that are to be made of them, and the file that it is kept as. */
    edi: {
      outline: readonly OutlinedInterchange[]
      invoices: EdiInvoice[]
      arrived: ArrivedInvoice[]
      file: TakenFile
    } | null
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
export const carrierInvoicesByEdi = (keeping: FileStore, bodyLimit: number) => async (app: App) => {
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
          'Takes an X12 file with transactions 210 (motor carrier freight details and invoice), in one interchange or several: each becomes a carrier invoice, all of them or none. The carrier is found by its SCAC, charges by their codes, the load by the references. What is malformed is a 400 that names the segment and the element. The control numbers tell a second arrival, which is a 409. For each interchange, taken or not, a functional acknowledgement (997) is made: `edi_interchanges` of the answer, and the header `Link` of a refusal, say where it is.',
        body: {
          content: {
            [type]: {
              schema: Type.String({
                description: 'The interchange as it is, in ASCII or UTF-8.',
                examples: [`${example}~\n`],
              }),
            },
          },
        } as never,
        response: answers({
          201: Type.Object({
            carrier_invoices: Type.Array(Type.Ref('CarrierInvoice'), { description: 'In the order of the file.' }),
            edi_interchanges: Type.Array(Type.Ref('EdiInterchange'), { description: 'The interchanges of the file.' }),
          }),
        }),
      },
    },
    async (request) => {
      const { ctx } = request
      const { outline, invoices, arrived, file } = request.edi as NonNullable<FastifyRequest['edi']>
      const keys = keysOf(invoices)
      const before = await findArrived(ctx, keys)
      if (before.length > 0) {
        const message = `This interchange has arrived before, and its carrier invoices are there: ${before.join(', ')}.`
        throw new Refusal('conflict', 'arrived_before', message, {
          headers: linkTo(await findInterchanges(ctx, outline)),
        })
      }
      const storage = isDryRun(request) ? null : keeping.storage
      let interchanges: string[] = []
      const ids = await createInvoices(ctx, arrived, async (ctx, ids) => {
        await attachFiles(ctx, storage, [file], ids)
        const made = ids.map((id, index) => ({ id, source_key: keys[index] ?? null }))
        interchanges = await keepInterchanges(ctx, outline, {
          source: 'api',
          faults: invoices.flatMap(({ noted }) => noted),
          made,
        })
      })
      const kept = (await listInterchangesJson(ctx, interchanges)).map(({ json }) => json)
      return {
        status: 201,
        headers: {},
        body: `{"carrier_invoices":[${(await listCreated(ctx, ids)).join(',')}],"edi_interchanges":[${kept.join(',')}]}`,
      }
    },
  )
}

/** Before the handler, which may be one transaction: the content of a document is kept before any transaction that makes the document. */
async function take(request: FastifyRequest, keeping: FileStore): Promise<void> {
  const { ctx } = request
  const text = textIn(request, type)
  const outline = await outlineApart(ctx.org, text)
  const { invoices, arrived } = await read(ctx, text).catch(async (error) => {
    const faults = faultsIn(error)
    if (faults.length === 0 || isDryRun(request)) throw error
    const { kind, code, message, details } = error as Refusal
    throw new Refusal(kind, code, message, {
      details,
      headers: linkTo(await keepInterchanges(ctx, outline, { source: 'api', faults, made: null })),
    })
  })
  const [first] = invoices
  const name = `${first?.source_key.split(':')[4] ?? '210'}.edi`
  const file = await checkFile(keeping, { name, bytes: Buffer.from(text), documentType: 'invoice' })
  request.edi = { outline, invoices, arrived, file }
  if (!isDryRun(request)) await keepFiles(ctx, keeping, [file])
}

async function read(ctx: Context, text: string): Promise<{ invoices: EdiInvoice[]; arrived: ArrivedInvoice[] }> {
  const invoices = await freightInvoicesApart(ctx.org, text)
  const before = await findArrived(ctx, keysOf(invoices))
  return { invoices, arrived: before.length > 0 ? [] : await arrivedByEdi(ctx, invoices) }
}

function keysOf(invoices: readonly EdiInvoice[]): string[] {
  return invoices.map(({ source_key }) => source_key)
}

/** Where the acknowledgements are that its sender waits for. */
function linkTo(interchanges: readonly string[]): Record<string, string> {
  const links = interchanges.map(
    (id) => `</api/v1/edi_interchanges/${id}/acknowledgement>; rel="related"; type="${type}"`,
  )
  return links.length > 0 ? { link: links.slice(0, 20).join(', ') } : {}
}
