import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { created, record } from '../http/answers/answers.ts'
import type { App } from '../http/edge/app.ts'
import { isDryRun } from '../http/input/preferences.ts'
import { answers } from '../http/openapi/openapi.ts'
import { createDocument } from './actions.ts'
import { attachedIn, nameAttached } from './attaching.ts'
import { mostBytes, type Upload } from './contents/receive.ts'
import { type Attachment, type DocumentType, UploadForm, UploadQuery } from './model.ts'
import { documentScopes } from './record-types.ts'
import type { Storage } from './storage/storage.ts'
import { receiveFile, takeUploads } from './upload-step.ts'

const One = Type.Object({ document: Type.Ref('Document') })

const examplePdf =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

/** Files are taken in by routes of their own, which read bodies of any type as they arrive. `folder` is where they are until they were checked. */
export const uploads = (storage: Storage, folder: string) => async (app: App) => {
  takeUploads(app)

  app.post(
    '/documents',
    {
      config: { scope: documentScopes, takes: 'a file, or multipart/form-data with one' },
      bodyLimit: mostBytes + 2 ** 20,
      preValidation: async (request: FastifyRequest) => {
        await receiveFile(request, storage, folder)
        await nameAttached(request.ctx, (request.body as Partial<UploadForm>).attached_to)
      },
      schema: {
        tags: ['Documents'],
        operationId: 'createDocument',
        summary: 'Upload a document',
        description:
          'Keeps a file of at most 25 MiB: as the body itself, with its type in `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`, or in a form. The content is held against the type and the name; where they differ, or the type is none of those that are kept, the answer is 415. The scopes of all records that it is attached to are needed. A document that nobody attaches to anything is deleted after a day.',
        querystring: UploadQuery,
        body: {
          content: {
            'application/pdf': {
              schema: Type.String({
                description: 'The bytes of the file, of any type that is kept.',
                examples: [examplePdf],
              }),
            },
            'multipart/form-data': { schema: UploadForm },
          },
        } as never,
        response: answers({ 201: One }),
      },
    },
    async (request) => {
      const { ctx, upload } = request
      const query = request.query as UploadQuery
      const form = (typeof request.body === 'object' ? request.body : {}) as {
        document_type?: DocumentType
        attached_to?: Attachment[]
      }
      const input = {
        document_type: form.document_type ?? query.document_type ?? 'other',
        attached_to: form.attached_to ?? (await attachedIn(ctx, query.attached_to ?? [])),
      }
      const { id, ...made } = await createDocument(ctx, isDryRun(request) ? null : storage, upload as Upload, input)
      return created(record('document', made), `/api/v1/documents/${id}`)
    },
  )
}
