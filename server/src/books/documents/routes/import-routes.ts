import Type from 'typebox'
import { invalidAll } from '../../../platform/core/refusal.ts'
import { named } from '../../../platform/core/schema/names.ts'
import { type Counts, counts, countsOf, importDryRun, rowFields } from '../../../platform/core/schema/rows.ts'
import { countRows, requireFewRows } from '../../../platform/core/tables/lots.ts'
import { type Answer, ok } from '../../../platform/http/answers/answers.ts'
import { resultOf } from '../../../platform/http/answers/bulk.ts'
import { acceptTextBodies, textIn } from '../../../platform/http/answers/media.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { isStrict } from '../../../platform/http/input/preferences.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { isOneTransaction } from '../../../platform/http/repeating/dry-run.ts'
import { exampleFile } from '../exchange/columns.ts'
import { importDocuments, type ReportedRow, readRows } from '../exchange/import.ts'
import { pascal } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import { pathsOf } from './paths.ts'

const type = 'text/csv'
const statuses = ['would_create', 'would_update', 'created', 'updated', 'unchanged', 'failed'] as const
const columnList = (description: string, example: string[]) =>
  Type.Array(Type.String(), { description, examples: [example] })

const Report = named(
  'ImportReport',
  Type.Object({
    dry_run: Type.Boolean({ description: 'Whether this only says what would be.', examples: [false] }),
    unknown_columns: columnList('Columns that mean nothing here; they were passed over.', []),
    ignored_columns: columnList('Columns that are not the file’s to set.', ['number', 'revision']),
    counts: named(
      'RowCounts',
      Type.Object(counts, { description: 'How many rows of each; in a dry run, what they would be.' }),
    ),
    results: Type.Array(
      named(
        'ImportResult',
        Type.Object({
          line: Type.Integer({
            minimum: 2,
            description: 'The line of the file on which the row begins.',
            examples: [2],
          }),
          status: Type.Enum(statuses, {
            description: 'What came of it, or, in a dry run, what would.',
            examples: ['created'],
          }),
          ...rowFields,
        }),
      ),
      { description: 'One for each row, in the order of the file.' },
    ),
  }),
)

export function importRoute(app: App, kind: Kind, { bodyLimit, most }: { bodyLimit: number; most: number }): void {
  const { plural } = kind
  const { all, config, tags } = pathsOf(kind)
  const inBackground = `POST ${app.prefix}${all}/imports`
  acceptTextBodies(app as never, type)

  app.post(
    `${all}/import`,
    {
      config: { ...config, costs: 'import', takes: type, inBackground },
      bodyLimit,
      schema: {
        tags,
        operationId: `import${pascal(plural)}`,
        summary: `Import ${plural}`,
        description: `Takes a CSV file with the columns of the export, in any order; those it does not have are left alone, an empty cell clears. Rows are created, or updated by their \`external_id\`, as in a bulk request, in lots of some hundred; a row that fails leaves the others alone. With \`dry_run=true\` nothing is kept, and the report says what would be. With an \`Idempotency-Key\` or \`Prefer: dry-run\` a file has at most 1,000 rows, and otherwise as many as the server does while the caller waits (5,000 unless it is set otherwise; more are refused with 413). Larger files go to \`POST ${all}/imports\`.`,
        querystring: Type.Object({
          dry_run: importDryRun,
        }),
        body: {
          content: {
            [type]: {
              schema: Type.String({
                description: 'RFC 4180, UTF-8, with a header.',
                examples: [exampleFile(kind)],
              }),
            },
          },
        } as never,
        response: answers({ 200: Report }),
      },
    },
    async (request): Promise<Answer> => {
      const { dry_run: dryRun = false } = request.query as { dry_run?: boolean }
      const bytes = Buffer.from(textIn(request, type))
      // Read to its end before anything is done: a file that breaks off in the middle is refused whole.
      const { header, rows: counted } = await readRows(kind, [bytes])
      const count = await countRows(counted, { most, inBackground })
      if (isOneTransaction(request)) requireFewRows(count, inBackground)
      if (isStrict(request) && header.unknown.length > 0) throw unknownColumns(header.unknown)
      const { rows } = await readRows(kind, [bytes])
      const reported: ReportedRow[] = []
      for await (const batch of importDocuments(request.ctx, kind, rows, { dryRun })) reported.push(...batch)
      return ok(JSON.stringify(reportOf(reported, header, dryRun)))
    },
  )
}

function reportOf(
  reported: readonly ReportedRow[],
  { unknown, ignored }: { unknown: readonly string[]; ignored: readonly string[] },
  dryRun: boolean,
) {
  const counts: Counts = countsOf(reported.map(({ outcome }) => outcome))
  const tried: Record<string, string> = dryRun ? { created: 'would_create', updated: 'would_update' } : {}
  const results = reported.map(({ line, outcome }) => ({
    line,
    status: tried[outcome.status] ?? outcome.status,
    ...resultOf(outcome),
  }))
  return { dry_run: dryRun, unknown_columns: unknown, ignored_columns: ignored, counts, results }
}

function unknownColumns(names: readonly string[]) {
  return invalidAll(
    names.map((name) => ({ field: name, code: 'unknown_column', message: `There is no column "${name}" here.` })),
  )
}
