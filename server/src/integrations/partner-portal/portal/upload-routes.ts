import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { invalid, quote } from '../../../platform/core/refusal.ts'
import { named } from '../../../platform/core/schema/names.ts'
import { Id } from '../../../platform/core/schema/schema.ts'
import { readId } from '../../../platform/core/values/ids.ts'
import { mostBytes, type Upload } from '../../../platform/files/contents/receive.ts'
import { type DocumentType, documentType } from '../../../platform/files/model.ts'
import type { Storage } from '../../../platform/files/storage/storage.ts'
import { receiveFile, takeUploads } from '../../../platform/files/upload-step.ts'
import { created, ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { isDryRun } from '../../../platform/http/input/preferences.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { requireRoomOf, requireSendable, sendDocument } from './doing.ts'
import { partnerOf } from './own/who.ts'
import { asPartner, base, config, tags } from './paths.ts'

const takes = 'a file, or multipart/form-data with one'
const examplePdf =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
const Form = named(
  'DocumentForm',
  Type.Object({
    file: Type.String({
      format: 'binary',
      description: 'The file, with its name and its type.',
      examples: ['%PDF-1.4 …'],
    }),
    document_type: Type.Optional(documentType),
  }),
)
const body = {
  content: {
    'application/pdf': {
      schema: Type.String({ description: 'The bytes of the file, of any type that is kept.', examples: [examplePdf] }),
    },
    'multipart/form-data': { schema: Form },
  },
} as never
const One = Type.Object({ document: Type.Ref('PortalDocument') })

/** The photographs and files that carriers send. */
export const portalUploads = (storage: Storage, folder: string) => async (app: App) => {
  takeUploads(app)

  for (const [name, param, of, operationId] of [
    ['manifests', 'manifestID', 'manifest', 'sendPortalDocument'],
    ['carrier_invoices', 'carrierInvoiceID', 'invoice', 'sendPortalInvoiceDocument'],
  ] as const) {
    const usual: DocumentType = name === 'manifests' ? 'pod' : 'invoice'
    const toIn = (request: FastifyRequest) => ({
      name,
      id: (request.params as Record<string, string>)[param] as string,
    })
    app.post(
      `${base}/${name}/:${param}/documents`,
      {
        config: { ...config, takes },
        bodyLimit: mostBytes + 2 ** 20,
        // Whose record it is comes first: nobody fills the storage of others.
        preValidation: async (request: FastifyRequest) => {
          const partner = await partnerOf(request.ctx)
          const { id } = toIn(request)
          if (!readId(id)) throw invalid(param, 'bad_id', `"${param}" must be the id of a record, not ${quote(id)}.`)
          await requireSendable(partner, { name, id })
          if (!isDryRun(request)) await requireRoomOf(partner, storage.limits)
          await receiveFile(Object.assign(request, { ctx: partner.ctx }), storage, folder)
        },
        schema: {
          tags,
          operationId,
          summary: `Send a document with ${of === 'invoice' ? 'an invoice' : 'a manifest'} of the carrier`,
          description: `Keeps a file of at most 25 MiB with the ${of}: as the body itself, or in a form. It is \`${usual}\` unless \`document_type\` says what it is.`,
          params: Type.Object({
            [param]: named(of === 'manifest' ? 'ManifestUuid' : 'CarrierInvoiceUuid', Id(`The ${of}.`)),
          }),
          querystring: Type.Object({ document_type: Type.Optional(documentType) }),
          body,
          response: answers({ 201: One }),
        },
      },
      asPartner(async (partner, request) => {
        const form = (typeof request.body === 'object' ? request.body : {}) as { document_type?: DocumentType }
        const document_type =
          form.document_type ?? (request.query as { document_type?: DocumentType }).document_type ?? usual
        const to = toIn(request)
        const { id, json } = await sendDocument(partner, to, {
          storage: isDryRun(request) ? null : storage,
          upload: request.upload as Upload,
          document_type,
        })
        return created(ok(`{"document":${json}}`), `/api/v1${base}/${name}/${to.id}/documents#${id}`)
      }),
    )
  }
}
