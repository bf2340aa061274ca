import Type from 'typebox'
import { invalidAll, Refusal } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { counts as countSchemas, countsOf, errorOf, importDryRun } from '../../platform/core/schema/rows.ts'
import { Id, nullable } from '../../platform/core/schema/schema.ts'
import { countRows } from '../../platform/core/tables/lots.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import { acceptTextBodies, textIn } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { isStrict } from '../../platform/http/input/preferences.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { isOneTransaction } from '../../platform/http/repeating/dry-run.ts'
import { importInvoices, type ReportedInvoice, readInvoiceRows } from './import.ts'
import { exampleFile } from './reading/invoice-rows.ts'

const csv = 'text/csv'
/** With an Idempotency-Key the whole file is one transaction. */
const mostWithKey = 1000

const statuses = ['would_create', 'created', 'unchanged', 'failed'] as const

const Report = Type.Object({
  dry_run: Type.Boolean({ description: 'Whether this only says what would be.', examples: [false] }),
  unknown_columns: Type.Array(Type.String(), {
    description: 'Columns that mean nothing here; they were passed over.',
    examples: [[]],
  }),
  counts: named(
    'RowCounts',
    Type.Object(countSchemas, { description: 'How many invoices of each; in a dry run, what they would be.' }),
  ),
  results: Type.Array(
    Type.Object({
      line: Type.Integer({
        minimum: 2,
        description: 'The line of the file on which its first row begins.',
        examples: [2],
      }),
      rows: Type.Integer({ minimum: 1, description: 'How many rows it has.', examples: [2] }),
      invoice_number: nullable(
        Type.String({ description: 'Its number; null where it cannot be read.', examples: ['INV-20417'] }),
      ),
      status: Type.Enum(statuses, {
        description: 'What came of it, or, in a dry run, what would.',
        examples: ['created'],
      }),
      id: nullable(Id('The carrier invoice; null where there is none.')),
      error: Type.Optional(Type.Ref('RowError')),
    }),
    { description: 'One for each invoice, in the order of the file.' },
  ),
})

type Limits = { bodyLimit: number; most: number }

export const importOfCarrierInvoices =
  ({ bodyLimit, most }: Limits) =>
  async (app: App) => {
    acceptTextBodies(app as never, csv)

    app.post(
      '/carrier_invoices/import',
      {
        config: { scope: 'bills', costs: 'import', takes: csv },
        bodyLimit,
        schema: {
          tags: ['Carrier invoices'],
          operationId: 'importCarrierInvoices',
          summary: 'Import carrier invoices',
          description:
            'Takes a CSV file in which each row is a line of an invoice: `partner_carrier` (id, external id, SCAC or name), `invoice_number`, `invoice_date`, `currency`, `reference_number`, `total_amount_decimal`, `notes`, and of the line `line_type`, `line_description`, `line_quantity`, `line_unit`, `line_unit_price_decimal`, `line_amount_decimal`; or amounts in the minor unit in `total_amount`, `line_unit_price` and `line_amount`, and the currency in `currency_id`. Rows of the same carrier and number that stand one after the other make one invoice; what is about the invoice is read from the first of them. An invoice with a row that fails is not made, and the others are. One that a file brought before is left alone, so a file can be sent again. A file has at most as many rows as the server does while the caller waits (5,000 unless it is set otherwise). With `dry_run=true` nothing is kept.',
          querystring: Type.Object({
            dry_run: importDryRun,
          }),
          body: {
            content: {
              [csv]: {
                schema: Type.String({ description: 'RFC 4180, UTF-8, with a header.', examples: [exampleFile] }),
              },
            },
          } as never,
          response: answers({ 200: Report }),
        },
      },
      async (request) => {
        const { dry_run: dryRun = false } = request.query as { dry_run?: boolean }
        const bytes = Buffer.from(textIn(request, csv))
        // Read to its end before anything is done: a file that breaks off in the middle is refused whole.
        const { header, rows: counted } = await readInvoiceRows([bytes])
        const count = await countRows(counted, { most })
        if (isOneTransaction(request) && count > mostWithKey) throw tooManyWithKey(count)
        if (isStrict(request) && header.unknown.length > 0)
          throw invalidAll(
            header.unknown.map((name) => ({
              field: name,
              code: 'unknown_column',
              message: `There is no column "${name}" here.`,
            })),
          )
        const { rows } = await readInvoiceRows([bytes])
        const reported: ReportedInvoice[] = []
        for await (const lot of importInvoices(request.ctx, rows, { dryRun })) reported.push(...lot)
        const counts = countsOf(reported.map(({ outcome }) => outcome))
        return ok(
          JSON.stringify({
            dry_run: dryRun,
            unknown_columns: header.unknown,
            counts,
            results: reported.map((one) => resultOf(one, dryRun)),
          }),
        )
      },
    )
  }

function resultOf({ rows, invoice_number, outcome: { status, id, refusal } }: ReportedInvoice, dryRun: boolean) {
  const [first] = rows
  return {
    ...{
      line: first?.line,
      rows: rows.length,
      invoice_number,
      status: dryRun && status === 'created' ? 'would_create' : status,
      id,
    },
    ...(refusal && { error: errorOf(refusal) }),
  }
}

function tooManyWithKey(rows: number): Refusal {
  const message = `The file has ${rows} rows. With an Idempotency-Key or Prefer: dry-run an import is one transaction, and has at most ${mostWithKey}. Leave out the key: a file can be imported again, and makes no invoice twice.`
  return new Refusal('too_large', 'too_many_rows', message)
}
