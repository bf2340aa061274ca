import { Readable } from 'node:stream'
import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { etagOf } from '../../platform/core/schema/revisions.ts'
import { Id } from '../../platform/core/schema/schema.ts'
import type { Answer } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { findContent } from './filings-store.ts'
import { config, one, params, tags } from './paths.ts'

const x12 = 'application/edi-x12'

export function interchangeRoute(app: App): void {
  app.get(
    `${one}/filings/:filingID/content`,
    {
      config: { ...config, offers: [x12] },
      schema: {
        tags,
        operationId: 'getEmanifestInterchange',
        summary: 'Download an interchange of an e-manifest',
        description: 'Answers the X12 interchange that was handed over, byte for byte.',
        params: Type.Object({ ...params.properties, filingID: Id('The filing.') }),
        response: answers({
          200: {
            description: 'The interchange.',
            content: {
              [x12]: { schema: Type.String({ description: 'The interchange.', examples: ['ISA*00*          *00*'] }) },
            },
          } as never,
        }),
      },
    },
    async ({ ctx, params: { emanifestID, filingID } }): Promise<Answer> => {
      const found = await findContent(ctx, emanifestID, filingID)
      if (!found) throw notFound('filing of this e-manifest', filingID)
      const name = `${String(found.control_number).padStart(9, '0')}.${found.transaction_set}`
      // It never changes.
      const headers = { etag: etagOf(1), 'content-type': x12, 'content-disposition': `attachment; filename="${name}"` }
      return { status: 200, headers, body: null, stream: Readable.from([found.content]) }
    },
  )
}
