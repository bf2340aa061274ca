import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { kindScopes, scopeOf } from '../../platform/access/kind-scopes.ts'
import { invalidAll } from '../../platform/core/refusal.ts'
import { countRows, requireFewRows, tooManyToExport } from '../../platform/core/tables/lots.ts'
import { type Answer, ok } from '../../platform/http/answers/answers.ts'
import { acceptTextBodies, preferredOf, textIn, unacceptable } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { isStrict } from '../../platform/http/input/preferences.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { isOneTransaction } from '../../platform/http/repeating/dry-run.ts'
import { countsIn, objectCounts, objectResult, objectRow } from '../bulk/results.ts'
import type { Extension } from '../kinds/extension.ts'
import { ListQuery, readListQuery } from '../search/schemas.ts'
import { exportObjects, type Format, findsMoreThan, formats } from './export.ts'
import { importObjects, type ReportedRow, readObjects } from './import.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
const offers = Object.values(types)

const { offset: _, limit: __, after: ___, paths: _____, deleted: ______, ...filters } = ListQuery.properties
const Export = Type.Object({
  ...filters,
  format: Type.Optional(
    Type.Enum(formats, { description: 'The format; by default as `Accept` asks for, or else CSV.', examples: ['csv'] }),
  ),
})

const text = (description: string, example: string) => ({ schema: Type.String({ description, examples: [example] }) })

/** Where more than `most` objects are found, an export in the background is asked for; 0 is no limit. */
export const exportOfObjects = (most: number, extensions: readonly Extension[]) => async (app: App) => {
  app.get(
    '/objects/export',
    {
      config: { scope: kindScopes, costs: 'export', offers },
      schema: {
        tags: ['Objects'],
        operationId: 'exportObjects',
        summary: 'Export objects of a kind',
        description:
          'Answers every object that a search finds, in its order, streamed from one snapshot, up to as many as the server sends while the caller waits (10,000 unless it is set otherwise; more are refused with 413, and go to `POST /objects/exports`). CSV has a column for each field, for each part of an address (`pickup.city`), and `otherFields` for those that no definition names; lists are JSON. It can be imported again as it is. NDJSON has one object on each line, as it is read. An export that fails midway breaks the connection: one that ends is whole. The token needs the scope of the kind.',
        querystring: Export,
        response: answers({
          200: {
            description: 'The objects.',
            content: {
              [types.csv]: text('RFC 4180, UTF-8, with a header.', 'id,externalId,fullId,status,name,city\r\n'),
              [types.ndjson]: text(
                'One JSON object on each line.',
                '{"id":"01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15","objectKey":"customer","name":"Acme Foods"}\n',
              ),
            },
          } as never,
        }),
      },
    },
    async (request): Promise<Answer> => {
      const { format: asked, ...query } = request.query as Static<typeof Export>
      requireScope(request, scopeOf(query.objectKey))
      const format = asked ?? formatBy(request.headers.accept)
      const headers = {
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : types.ndjson,
        'content-disposition': `attachment; filename="objects-${new Date().toISOString().slice(0, 10)}.${format}"`,
      }
      const search = readListQuery(query)
      if (most > 0 && (await findsMoreThan(request.ctx, query.objectKey, search, { most, extensions })))
        throw tooManyToExport(most, 'objects', `POST ${app.prefix}/objects/exports`)
      if (request.method === 'HEAD') return { status: 200, headers, body: null }
      return {
        status: 200,
        headers,
        body: null,
        stream: await exportObjects(request.ctx, query.objectKey, search, { format, extensions }),
      }
    },
  )
}

function formatBy(accept: string | undefined): Format {
  const type = preferredOf(accept, offers)
  if (!type) throw unacceptable(accept, offers)
  return formats.find((format) => types[format] === type) as Format
}

const statuses = ['would_create', 'would_update', 'created', 'updated', 'unchanged', 'failed'] as const
const columnList = (description: string, example: string[]) =>
  Type.Array(Type.String(), { description, examples: [example] })
const { deleted: ____, ...counts } = objectCounts

const Report = Type.Object({
  dryRun: Type.Boolean({ description: 'Whether this was a dry run, which writes nothing.', examples: [false] }),
  unknownColumns: columnList('Unknown columns; they were ignored.', []),
  ignoredColumns: columnList('Read-only columns; they were ignored.', ['fullId', 'version']),
  counts: Type.Object(counts, { description: 'How many rows of each; in a dry run, what they would be.' }),
  results: Type.Array(
    Type.Object({
      line: Type.Integer({ minimum: 2, description: 'The line of the file on which the row begins.', examples: [2] }),
      status: Type.Enum(statuses, {
        description: 'The result, or in a dry run what it would be.',
        examples: ['created'],
      }),
      ...objectRow,
    }),
    { description: 'One for each row, in the order of the file.' },
  ),
})

const Import = Type.Object({
  objectKey: ListQuery.properties.objectKey,
  dryRun: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'With true nothing is written, and the report shows what would happen.',
      examples: [true],
    }),
  ),
})

type Limits = { bodyLimit: number; most: number }

/** Bodies of an import may be larger than others: this many bytes. */
export const importOfObjects =
  ({ bodyLimit, most }: Limits, extensions: readonly Extension[]) =>
  async (app: App) => {
    const inBackground = `POST ${app.prefix}/objects/imports`
    acceptTextBodies(app as never, types.csv)

    app.post(
      '/objects/import',
      {
        config: { scope: kindScopes, costs: 'import', takes: types.csv, inBackground },
        bodyLimit,
        schema: {
          tags: ['Objects'],
          operationId: 'importObjects',
          summary: 'Import objects of a kind',
          description:
            'Takes a CSV file with the columns of the export, in any order; fields without a column stay as they are, an empty cell clears. A row changes the object of its `id`, or else that of its `externalId`, and creates one where there is none, as in a bulk request, in lots of some hundred; a row that fails does not affect the others. A reference is an id, `ext:` and an external id, or a `fullId`. With `dryRun=true` nothing is written, and the report shows what would happen. With an `Idempotency-Key` or `Prefer: dry-run` a file has at most 1,000 rows; larger files go to `POST /objects/imports`. The token needs the scope of the kind.',
          querystring: Import,
          body: {
            content: {
              [types.csv]: {
                schema: Type.String({
                  description: 'RFC 4180, UTF-8, with a header.',
                  examples: ['externalId,name,city,billingAddress.city\nERP-1001,Acme Foods,Oakland,Reno\n'],
                }),
              },
            },
          } as never,
          response: answers({ 200: Report }),
        },
      },
      async (request): Promise<Answer> => importFrom(request as never, extensions, { most, inBackground }),
    )
  }

async function importFrom(
  request: FastifyRequest & { query: Static<typeof Import> },
  extensions: readonly Extension[],
  { most, inBackground }: { most: number; inBackground: string },
): Promise<Answer> {
  const { objectKey, dryRun = false } = request.query
  const permit = (kind: string) => requireScope(request, scopeOf(kind))
  permit(objectKey)
  const bytes = Buffer.from(textIn(request, types.csv))
  // Read to its end before anything is written: a file that ends in the middle of a row is refused whole.
  const { header, rows: all } = await readObjects(request.ctx, objectKey, [bytes])
  const count = await countRows(all, { most, inBackground })
  if (isOneTransaction(request)) requireFewRows(count, inBackground)
  if (isStrict(request) && header.unknown.length > 0) throw unknownColumns(header.unknown)
  const { rows } = await readObjects(request.ctx, objectKey, [bytes])
  const reported: ReportedRow[] = []
  for await (const lot of importObjects(request.ctx, rows, { extensions, objectKey, dryRun, permit }))
    reported.push(...lot)
  const { deleted: _, ...counted } = countsIn(reported.map(({ outcome }) => outcome))
  const tried: Record<string, string> = dryRun ? { created: 'would_create', updated: 'would_update' } : {}
  const results = reported.map(({ line, outcome }) => ({
    line,
    status: tried[outcome.status] ?? outcome.status,
    ...objectResult(outcome),
  }))
  return ok(
    JSON.stringify({
      dryRun,
      unknownColumns: header.unknown,
      ignoredColumns: header.ignored,
      counts: counted,
      results,
    }),
  )
}

function unknownColumns(names: readonly string[]) {
  return invalidAll(
    names.map((name) => ({ field: name, code: 'unknown_column', message: `There is no column "${name}" here.` })),
  )
}
