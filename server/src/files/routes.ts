import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { lacksScopes } from '../auth/scope-refusals.ts'
import type { Context } from '../context.ts'
import { notFound } from '../core/refusal.ts'
import { apart, envelopeOf, Id } from '../core/schema.ts'
import { deletedToo, historyRoute } from '../events/history-route.ts'
import { type Answer, noContent, ok, record } from '../http/answers.ts'
import type { App } from '../http/app.ts'
import { expectedIn } from '../http/conditional.ts'
import { answers } from '../http/openapi.ts'
import { rangeIn } from '../http/ranges.ts'
import { naming, unwrap } from '../http/whole-bodies.ts'
import { removeDocument, requireDocument, updateDocument } from './actions.ts'
import { attachmentsIn } from './attaching.ts'
import { dispositionOf } from './file-names.ts'
import { isShown, mediaTypes } from './media-types.ts'
import { Document, DocumentEdit, DocumentSearch } from './model.ts'
import { documentScopes, scopeOfUnattached } from './record-types.ts'
import type { Storage } from './storage/storage.ts'
import { type FoundDocument, findDocument, listDocuments } from './store.ts'

const config = { scope: documentScopes }
const tags = ['Documents']
const path = '/documents/:documentID'
const params = Type.Object({ documentID: Id('The document.') })
const One = Type.Object({ document: Type.Ref('Document') })

/** Files that are kept with records, apart from how they are sent. */
export const documents = (storage: Storage) => async (app: App) => {
  app.addSchema(Document)

  app.get(
    '/documents',
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: 'searchDocuments',
        summary: 'Search documents',
        description:
          'Finds the documents that match every filter given, newest first, with the exact total. A token sees those alone whose records its scopes allow.',
        querystring: DocumentSearch,
        response: answers({ 200: envelopeOf('documents', Type.Ref('Document')) }),
      },
    },
    async ({ ctx, query, token }) => ok(await listDocuments(ctx, { ...query, attachedTo: attachmentsIn(query.attached_to ?? []) }, [...token.scopes])),
  )

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getDocument',
        summary: 'Get a document',
        description: 'Answers what is known of a document. `/content` is the file.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params }) => record('document', await requireDocument(ctx, params.documentID)),
  )

  app.put(
    path,
    {
      config,
      preValidation: unwrap('document'),
      schema: {
        tags,
        operationId: 'updateDocument',
        summary: 'Update a document',
        description:
          'Only the fields that are sent apply; `attached_to` is replaced as a whole, with the scopes of what it was and of what it is to be attached to. The content never changes.',
        params,
        body: DocumentEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = apart(DocumentEdit, request.body)
      return record('document', await updateDocument(request.ctx, request.params.documentID, input, expectedIn(request)), naming(ignored))
    },
  )

  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteDocument',
        summary: 'Delete a document',
        description: 'Deletes the document, whatever it is attached to. Its content is removed within minutes, unless another document has the same.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeDocument(request.ctx, request.params.documentID, expectedIn(request))
      return noContent
    },
  )

  app.get(
    `${path}/content`,
    {
      config: { ...config, offers: ['*/*', ...mediaTypes.map(({ type }) => type)] },
      schema: {
        tags,
        operationId: 'getDocumentContent',
        summary: 'Download the content of a document',
        description:
          'Answers the bytes of the file, as they were sent. `Range` asks for a part of them, `If-None-Match` with the ETag whether they are the same. Browsers are told to save the file and to run nothing in it; with `inline=true` they may show a PDF or a picture.',
        params,
        querystring: Type.Object({
          inline: Type.Optional(
            Type.Boolean({ default: false, description: 'Whether a browser may show it, where it is a PDF or a picture.', examples: [true] }),
          ),
        }),
        response: answers({
          200: {
            description: 'The file.',
            content: {
              'application/octet-stream': { schema: Type.String({ description: 'The bytes, under their own media type.', examples: ['%PDF-1.4 …'] }) },
            },
          } as never,
        }),
      },
    },
    async (request) => download(request, storage, await requireDocument(request.ctx, request.params.documentID), request.query.inline === true),
  )

  historyRoute(app, {
    ...{ path, config, tags, params, name: 'Document', one: 'a document', note: `${deletedToo} Of one that is gone, the scope \`bills\` is needed.` },
    async recordIn({ ctx, params }) {
      const { documentID: id } = params as { documentID: string }
      const found = await findDocument(ctx, id)
      if (found) await requireDocument(ctx, id)
      else requireBills(ctx)
      return { type: 'document', id, isThere: async () => found !== undefined, unknown: () => notFound('document', id) }
    },
  })
}

/** Of a document that is gone nobody knows any more which scopes it took. */
function requireBills({ scopes }: Context): void {
  if (scopes && !scopes.has(scopeOfUnattached)) throw lacksScopes([scopeOfUnattached])
}

/** Nothing in it can run: it is saved, or shown without the right to do anything, under the type that was found in it and no other. */
async function download(request: FastifyRequest, storage: Storage, found: FoundDocument, inline: boolean): Promise<Answer> {
  const { ctx, method, headers } = request
  const { file_name, media_type, size, sha256 } = found
  const etag = `"${sha256}"`
  const range = headers['if-range'] === undefined || headers['if-range'] === etag ? rangeIn(headers.range, size) : undefined
  const { first, last } = range ?? { first: 0, last: size - 1 }
  const answer: Answer = {
    status: range ? 206 : 200,
    headers: {
      etag,
      'content-type': media_type,
      'content-disposition': dispositionOf(inline && isShown(media_type) ? 'inline' : 'attachment', file_name),
      'content-length': String(last - first + 1),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      // Kept by the browser alone, which asks each time whether it may still be seen.
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
    },
    body: null,
    plain: true,
  }
  if (method === 'HEAD' || isSame(headers['if-none-match'], etag)) return { ...answer, stream: Readable.from([]) }
  return { ...answer, stream: await storage.read({ org: ctx.org, sha256 }, range && { first, last }) }
}

/** Answered 304, so nothing need be read. */
function isSame(header: string | undefined, etag: string): boolean {
  return header !== undefined && (header.trim() === '*' || header.includes(etag))
}
