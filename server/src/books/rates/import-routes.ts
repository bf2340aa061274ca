import { isUtf8 } from 'node:buffer'
import Type from 'typebox'
import { invalid, Refusal } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { counts as countSchemas, countsOf, errorOf, importDryRun } from '../../platform/core/schema/rows.ts'
import { nullable } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import { acceptTextBodies, textIn } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { isOneTransaction } from '../../platform/http/repeating/dry-run.ts'
import { importRates, type ReportedRow, readRatesCsv, readRatesXml } from './import.ts'

const csv = 'text/csv'
const xml = ['application/xml', 'text/xml']
/** With an Idempotency-Key the whole file is one transaction. */
const mostWithKey = 5000
/** More would fill memory with what nobody reads; the counts have them all. */
const mostListed = 5000

const Report = Type.Object({
  dry_run: Type.Boolean({ description: 'Whether this only says what would be.', examples: [false] }),
  unknown_columns: Type.Array(Type.String(), {
    description: 'Columns that mean nothing here, and currencies that are not known; they were passed over.',
    examples: [[]],
  }),
  counts: named(
    'RowCounts',
    Type.Object(countSchemas, { description: 'How many rates of each; in a dry run, what they would be.' }),
  ),
  failures: Type.Array(
    Type.Object({
      line: Type.Integer({ minimum: 1, description: 'The line of the file.', examples: [2] }),
      from_currency_id: nullable(Type.String({ description: 'As the file has it.', examples: ['eur'] })),
      to_currency_id: nullable(Type.String({ description: 'As the file has it.', examples: ['usd'] })),
      starts_on: nullable(Type.String({ description: 'As the file has it.', examples: ['2026-11-16'] })),
      error: Type.Ref('RowError'),
    }),
    { description: `One for each rate that failed, the first ${mostListed}; the others were kept.` },
  ),
})

export const importOfRates = (bodyLimit: number) => async (app: App) => {
  acceptTextBodies(app as never, csv)
  for (const type of xml)
    app.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      (_request: unknown, body: Buffer, done: (error: Error | null, text?: string) => void) =>
        isUtf8(body)
          ? done(null, body.toString())
          : done(invalid('', 'not_utf8', 'The body is not UTF-8. Save it as UTF-8.')),
    )

  app.post(
    '/exchange_rates/import',
    {
      config: { scope: 'exchange_rates', costs: 'import', takes: csv },
      bodyLimit,
      schema: {
        tags: ['Exchange rates'],
        operationId: 'importExchangeRates',
        summary: 'Import exchange rates',
        description:
          'Takes a CSV with the columns `from_currency_id`, `to_currency_id`, `rate`, `starts_on`, and where wanted `ends_on` and `source`; or the files of reference rates of the European Central Bank, as CSV (`Date, USD, JPY, …`, one day or many) or as XML. A rate whose pair has one that starts on the same day updates it. A rate without an end holds until the next one of its pair begins, and takes over from the one that held before it. A rate that fails leaves the others alone. With `dry_run=true` nothing is kept.',
        querystring: Type.Object({
          dry_run: importDryRun,
        }),
        body: {
          content: {
            [csv]: {
              schema: Type.String({
                description: 'RFC 4180, UTF-8, with a header.',
                examples: ['from_currency_id,to_currency_id,rate,starts_on\neur,usd,1.0842,2026-11-16\n'],
              }),
            },
            [xml[0] as string]: {
              schema: Type.String({
                description: 'The daily file of the European Central Bank.',
                examples: [
                  '<Envelope><Cube><Cube time="2026-11-16"><Cube currency="USD" rate="1.0842"/></Cube></Cube></Envelope>',
                ],
              }),
            },
          },
        } as never,
        response: answers({ 200: Report }),
      },
    },
    async (request) => {
      const { ctx, headers } = request
      const { dry_run: dryRun = false } = request.query as { dry_run?: boolean }
      const text = textIn(request, csv)
      const isXml = xml.some((type) => String(headers['content-type']).toLowerCase().startsWith(type))
      // Read to its end before anything is done: a file that breaks off in the middle is refused whole.
      const { rows, unknown } = isXml ? await readRatesXml(ctx, text) : await readRatesCsv(ctx, Buffer.from(text))
      if (isOneTransaction(request) && rows.length > mostWithKey) throw tooManyWithKey(rows.length)
      const statuses: Pick<ReportedRow, 'status'>[] = []
      const failures: object[] = []
      for await (const lot of importRates(ctx, rows, { dryRun })) {
        statuses.push(...lot.map(({ status }) => ({ status })))
        failures.push(...lot.flatMap(failureOf).slice(0, mostListed - failures.length))
      }
      return ok(
        JSON.stringify({
          dry_run: dryRun,
          unknown_columns: unknown,
          counts: countsOf(statuses),
          failures,
        }),
      )
    },
  )
}

function failureOf({ line, sent, refusal }: ReportedRow) {
  if (!refusal) return []
  const { from_currency_id = null, to_currency_id = null, starts_on = null } = sent
  return [{ line, from_currency_id, to_currency_id, starts_on, error: errorOf(refusal) }]
}

function tooManyWithKey(rows: number): Refusal {
  const message = `The file has ${rows} rates. With an Idempotency-Key an import is one transaction, and has at most ${mostWithKey}. Leave out the key: a file can be imported again, and changes nothing that is there already.`
  return new Refusal('too_large', 'too_many_rows', message)
}
