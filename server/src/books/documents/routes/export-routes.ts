import Type from 'typebox'
import { tooManyToExport } from '../../../platform/core/tables/lots.ts'
import type { Answer } from '../../../platform/http/answers/answers.ts'
import { preferredOf, unacceptable } from '../../../platform/http/answers/media.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { columnsOf } from '../exchange/columns.ts'
import { exportDocuments, type Format, formats } from '../exchange/export.ts'
import { pascal } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'
import { matchMoreThan } from '../store/store.ts'
import { pathsOf, requireKnownCurrencies } from './paths.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
const offers = Object.values(types)

const text = (description: string, example: string) => ({ schema: Type.String({ description, examples: [example] }) })

/** Where more than `most` documents match, an export in the background is asked for; 0 is no limit. */
export function exportRoute(app: App, kind: Kind, most: number): void {
  const { noun, plural, schemas, lines } = kind
  const { all, config, tags } = pathsOf(kind)
  const { offset: _, limit: __, after: ___, ...filters } = schemas.Search.properties

  app.get(
    `${all}/export`,
    {
      config: { ...config, costs: 'export', offers },
      schema: {
        tags,
        operationId: `export${pascal(plural)}`,
        summary: `Export ${plural}`,
        description: `Answers every ${noun} that matches, in order, streamed from one snapshot, up to as many as the server sends while the caller waits (10,000 unless it is set otherwise; more are refused with 413, and go to \`POST ${all}/exports\`). CSV has one record for each ${noun}, with its addresses in columns of their own and its lines as JSON in \`${lines.plural}\`; it can be imported again as it is. NDJSON has one ${noun} with all its lines on each line. An export that fails midway breaks the connection: one that ends is whole.`,
        querystring: Type.Object({
          format: Type.Optional(
            Type.Enum(formats, {
              description: 'The form; by `Accept`, and CSV where that leaves it open.',
              examples: ['csv'],
            }),
          ),
          ...filters,
        }),
        response: answers({
          200: {
            description: `The ${plural}, as they are read.`,
            content: {
              [types.csv]: text(
                'RFC 4180, UTF-8, with a header.',
                `${columnsOf(kind)
                  .map(({ name }) => name)
                  .join(',')}\r\n`,
              ),
              [types.ndjson]: text(
                'One JSON object on each line.',
                `{"id":"01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15","status_id":"sent","${lines.plural}":[]}\n`,
              ),
            },
          } as never,
        }),
      },
    },
    async ({ ctx, query, headers: { accept }, method }): Promise<Answer> => {
      const { format: asked, ...search } = query as Search & { format?: Format }
      const format = asked ?? formatBy(accept)
      await requireKnownCurrencies(ctx, kind, search)
      const headers = {
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : types.ndjson,
        'content-disposition': `attachment; filename="${plural}-${new Date().toISOString().slice(0, 10)}.${format}"`,
      }
      if (most > 0 && (await matchMoreThan(ctx, kind, search, most)))
        throw tooManyToExport(most, plural, `POST ${app.prefix}${all}/exports`)
      if (method === 'HEAD') return { status: 200, headers, body: null }
      return { status: 200, headers, body: null, stream: await exportDocuments(ctx, kind, search, format) }
    },
  )
}

function formatBy(accept: string | undefined): Format {
  const type = preferredOf(accept, offers)
  if (!type) throw unacceptable(accept, offers)
  return formats.find((format) => types[format] === type) as Format
}
