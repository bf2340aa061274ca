import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { lacksScopes } from '../access/scope-refusals.ts'
import type { Context } from '../context.ts'
import { notFound } from '../core/refusal.ts'
import { envelopeOf, Id, separateIgnored } from '../core/schema/schema.ts'
import { deletedToo, historyRoute } from '../events/history/history-route.ts'
import { noContent, ok, record } from '../http/answers/answers.ts'
import { expectedIn } from '../http/answers/conditional.ts'
import type { App } from '../http/edge/app.ts'
import { naming, unwrap } from '../http/input/whole-bodies.ts'
import { answers } from '../http/openapi/openapi.ts'
import { removeDocument, requireDocument, updateDocument } from './actions.ts'
import { attachedIn, nameAttached } from './attaching.ts'
import { download, fileAnswer, Inline, offered } from './download.ts'
import { Document, DocumentEdit, DocumentSearch } from './model.ts'
import { documentScopes, scopeOfUnattached } from './record-types.ts'
import type { Storage } from './storage/storage.ts'
import { findDocument, listDocuments } from './store.ts'

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
    async ({ ctx, query, token }) =>
      ok(
        await listDocuments(ctx, { ...query, attachedTo: await attachedIn(ctx, query.attached_to ?? []) }, [
          ...token.scopes,
        ]),
      ),
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
      preValidation: [
        unwrap('document'),
        async ({ ctx, body }: FastifyRequest) => nameAttached(ctx, (body as Partial<Document> | null)?.attached_to),
      ],
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
      const { input, ignored } = separateIgnored(DocumentEdit, request.body)
      return record(
        'document',
        await updateDocument(request.ctx, request.params.documentID, input, expectedIn(request)),
        naming(ignored),
      )
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
        description:
          'Deletes the document, whatever it is attached to. Its content is removed within minutes, unless another document has the same.',
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
      config: { ...config, offers: offered },
      schema: {
        tags,
        operationId: 'getDocumentContent',
        summary: 'Download the content of a document',
        description:
          'Answers the bytes of the file, as they were sent. `Range` asks for a part of them, `If-None-Match` with the ETag whether they are the same. Browsers are told to save the file and to run nothing in it; with `inline=true` they may show a PDF or a picture.',
        params,
        querystring: Inline,
        response: answers({ 200: fileAnswer }),
      },
    },
    async (request) =>
      download(
        request,
        storage,
        await requireDocument(request.ctx, request.params.documentID),
        request.query.inline === true,
      ),
  )

  historyRoute(app, {
    ...{
      path,
      config,
      tags,
      params,
      name: 'Document',
      one: 'a document',
      note: `${deletedToo} Of one that is gone, the scope \`bills\` is needed.`,
    },
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
