import Type, { type Static } from 'typebox'
import type { Answer } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { preferredOf, unacceptable } from '../../http/media.ts'
import { answers } from '../../http/openapi.ts'
import { columns } from './columns.ts'
import { exportBills, type Format, formats } from './export.ts'
import { BillSearch } from './search.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
const offers = Object.values(types)

const { offset: _, limit: __, ...filters } = BillSearch.properties
const Export = Type.Object({
  format: Type.Optional(Type.Enum(formats, { description: 'The form; by `Accept`, and CSV where that leaves it open.', examples: ['csv'] })),
  ...filters,
})

const text = (description: string, example: string) => ({ schema: Type.String({ description, examples: [example] }) })

export async function exportOfBills(app: App): Promise<void> {
  app.get(
    '/bills/export',
    {
      config: { scope: 'bills', offers },
      schema: {
        tags: ['Bills'],
        operationId: 'exportBills',
        summary: 'Export bills',
        description:
          'Every bill that matches, in order, streamed from one snapshot, however many there are. CSV has one record for each bill, with its addresses in columns of their own and its lines as JSON in `bill_items`; it can be imported again as it is. NDJSON has one bill with all its lines on each line. An export that fails midway breaks the connection: one that ends is whole.',
        querystring: Export,
        response: answers({
          200: {
            description: 'The bills, as they are read.',
            content: {
              [types.csv]: text('RFC 4180, UTF-8, with a header.', `${columns.map(({ name }) => name).join(',')}\r\n`),
              [types.ndjson]: text('One JSON object on each line.', '{"id":"01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15","status_id":"sent","bill_items":[]}\n'),
            },
          } as never,
        }),
      },
    },
    async ({ ctx, query, headers: { accept }, method }): Promise<Answer> => {
      const { format: asked, ...search } = query as Static<typeof Export>
      const format = asked ?? formatBy(accept)
      const headers = {
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : types.ndjson,
        'content-disposition': `attachment; filename="bills-${new Date().toISOString().slice(0, 10)}.${format}"`,
      }
      if (method === 'HEAD') return { status: 200, headers, body: null }
      return { status: 200, headers, body: null, stream: await exportBills(ctx, search, format) }
    },
  )
}

function formatBy(accept: string | undefined): Format {
  const type = preferredOf(accept, offers)
  if (!type) throw unacceptable(accept, offers)
  return formats.find((format) => types[format] === type) as Format
}
