import Type from 'typebox'
import { Id } from '../../../platform/core/schema/schema.ts'
import { requireDocument } from '../../../platform/files/actions.ts'
import { download, fileAnswer, Inline, offered } from '../../../platform/files/download.ts'
import type { Storage } from '../../../platform/files/storage/storage.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { asPartner, base, config, requireOwn, tags } from './paths.ts'

/** What carriers have sent, to look at again. */
export const portalDocuments = (storage: Storage) => async (app: App) => {
  app.get(
    `${base}/documents/:documentID/content`,
    {
      config: { ...config, offers: offered },
      schema: {
        tags,
        operationId: 'getPortalDocumentContent',
        summary: 'Download a document that the carrier sent',
        description:
          'Answers the bytes of a file that the carrier itself has sent through the portal, as they were sent. `Range` asks for a part of them, `If-None-Match` with the ETag whether they are the same. Browsers are told to save the file and to run nothing in it; with `inline=true` they may show a PDF or a picture.',
        params: Type.Object({ documentID: Id('The document.') }),
        querystring: Inline,
        response: answers({ 200: fileAnswer }),
      },
    },
    asPartner(async (partner, request) => {
      const { id } = await requireOwn(partner, 'documents', (request.params as { documentID: string }).documentID)
      const inline = (request.query as { inline?: boolean }).inline === true
      return download(request, storage, await requireDocument(partner.ctx, id), inline)
    }),
  )
}
