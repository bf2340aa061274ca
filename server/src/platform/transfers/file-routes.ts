import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import type { Scope } from '../access/scopes.ts'
import { notFound, Refusal } from '../core/refusal.ts'
import { named } from '../core/schema/names.ts'
import type { Answer } from '../http/answers/answers.ts'
import { rangeIn } from '../http/answers/ranges.ts'
import type { App } from '../http/edge/app.ts'
import { requireAllScopes } from '../http/edge/authenticate.ts'
import { referenceIn } from '../http/input/params.ts'
import { answers } from '../http/openapi/openapi.ts'
import { readBytes } from './parts/downloads.ts'
import type { File } from './parts/store.ts'
import { findSizes, type Sizes } from './store.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

const file = (name: string, description: string, example: string) => ({
  schema: named(name, Type.String({ description, examples: [example] })),
})

/** What the routes of a version of the API have in common. */
type Place = { config: { scope: readonly Scope[] }; tags: string[]; params: TObject; operations: string }

/** What came of a transfer, as files. */
export function fileRoutes(app: App, { config, tags, params, operations }: Place): void {
  app.get(
    '/transfers/:transferID/result',
    {
      config: { ...config, offers: Object.values(types) },
      schema: {
        tags,
        operationId: `get${operations}TransferResult`,
        summary: 'Download the result of an import or an export',
        description:
          'Answers the file of an export that is done; of an import that has ended, a line of JSON for each row: its `line` in the file, its `status`, and what was wrong with it. `Range` continues a download that broke off.',
        params,
        response: answers({
          200: {
            description: 'The file.',
            content: {
              [types.csv]: file('TransferResult', 'RFC 4180, UTF-8, with a header.', 'id,external_id,number\r\n'),
              [types.ndjson]: file(
                'TransferResultLines',
                'One JSON object on each line.',
                '{"line":2,"status":"created"}\n',
              ),
            },
          } as never,
        }),
      },
    },
    async (request) => {
      const sizes = await requireEnded(request)
      return download(request, sizes, {
        file: 'result',
        format: sizes.direction === 'export' ? sizes.format : 'ndjson',
        size: sizes.result,
      })
    },
  )

  app.get(
    '/transfers/:transferID/failures',
    {
      config: { ...config, offers: [types.csv] },
      schema: {
        tags,
        operationId: `get${operations}TransferFailures`,
        summary: 'Download the rows of an import that failed',
        description:
          'Answers the rows that failed, as they came, with the reason in columns that an import ignores: correct them there and import that file. It is empty where no row failed.',
        params,
        response: answers({
          200: {
            description: 'The rows.',
            content: {
              [types.csv]: file(
                'TransferFailures',
                'RFC 4180, UTF-8, with a header.',
                'external_id,failed_line,failed_code,failed_column,failed_because\r\n',
              ),
            },
          } as never,
        }),
      },
    },
    async (request) => {
      const sizes = await requireEnded(request)
      return download(request, sizes, { file: 'failures', format: 'csv', size: sizes.failures })
    },
  )
}

/** An export has a result when all of it is there; an import also where it ended early. */
async function requireEnded(request: FastifyRequest): Promise<Sizes> {
  const id = idIn(request)
  const sizes = await findSizes(request.ctx, id)
  if (!sizes) throw notFound('transfer', id)
  requireAllScopes(request, sizes.scope)
  if (sizes.direction === 'import' ? sizes.ended : sizes.state === 'done') return sizes
  const wait = sizes.ended ? 'It has no result; make it again.' : 'Wait until it is done.'
  throw new Refusal('conflict', 'transfer_has_no_result', `The transfer is ${sizes.state}. ${wait}`)
}

/** Not compressed, so that its length is known and a part of it can be asked for. */
function download(
  request: FastifyRequest,
  { resource }: Sizes,
  { file, format, size }: { file: File; format: keyof typeof types; size: number },
): Answer {
  const { ctx, method, headers } = request
  const id = idIn(request)
  const etag = `"${id}-${file}"`
  const range =
    headers['if-range'] === undefined || headers['if-range'] === etag ? rangeIn(headers.range, size) : undefined
  const { first, last } = range ?? { first: 0, last: size - 1 }
  const answer: Answer = {
    status: range ? 206 : 200,
    headers: {
      etag,
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : types.ndjson,
      'content-disposition': `attachment; filename="${resource}-${file}-${id}.${format}"`,
      'content-length': String(last - first + 1),
      'accept-ranges': 'bytes',
      ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
    },
    body: null,
    shifting: true,
    plain: true,
  }
  // Fastify says of a HEAD without any body that its length is 0.
  return {
    ...answer,
    stream: method === 'HEAD' || size === 0 ? Readable.from([]) : readBytes(ctx, id, file, { first, last }),
  }
}

export function idIn({ params }: FastifyRequest): string {
  const { transferID } = params as { transferID: string }
  const reference = referenceIn(transferID, 'transferID')
  if (reference.by !== 'id') throw notFound('transfer', transferID)
  return reference.id
}
