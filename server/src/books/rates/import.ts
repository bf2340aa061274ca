import { type Context, transaction } from '../../platform/context.ts'
import { conflict, invalid, Refusal } from '../../platform/core/refusal.ts'
import { checkerOf } from '../../platform/core/schema/check.ts'
import { outcomeOr } from '../../platform/core/schema/rows.ts'
import { type CsvRecord, readCsv } from '../../platform/core/tables/csv.ts'
import { type Columns, rowOfRecord } from '../../platform/core/tables/csv-table.ts'
import { inTurns, lotsOf } from '../../platform/core/tables/lots.ts'
import { runInThread } from '../../platform/core/turns/apart.ts'
import { newId } from '../../platform/core/values/ids.ts'
import type { EventOf } from '../../platform/events/record.ts'
import { minorUnits } from '../currencies/known.ts'
import { type DailyRate, dailyRates, isDaily, ratesInXml } from './ecb.ts'
import { insertRates, lockAround, type RangeOfPair, saveRates, type Window } from './import-store.ts'
import { type Content, contentOf, NewExchangeRate } from './model.ts'
import { place, type Range } from './ranges.ts'
import { isOverlap, recordRates } from './store.ts'

/** What a line of a file says, or why it cannot be understood. */
export type Row = { line: number; sent: Partial<Content>; content: Content | Refusal }
export type ReportedRow = {
  line: number
  sent: Partial<Content>
  status: 'created' | 'updated' | 'unchanged' | 'failed'
  refusal?: Refusal
}
/** The rates of a file, and the names of columns and currencies that mean nothing here. */
export type RatesFile = { rows: Row[]; unknown: string[] }

const columns: Columns = {
  read: {
    from_currency_id: 'text',
    to_currency_id: 'text',
    rate: 'text',
    starts_on: 'text',
    ends_on: 'text',
    source: 'text',
  },
  ignored: ['id', 'org_id', 'revision', 'created_at', 'updated_at'],
}
/** The history of the European Central Bank has some 200,000. All of a file are in memory at once. */
const mostRates = 500_000
/** Each is kept with its reason until the answer is made. */
const mostUnreadable = 5000
const check = checkerOf(NewExchangeRate)
const ratesApart = runInThread(new URL('./ecb.ts', import.meta.url).href, ratesInXml)

/** The rates of a CSV: a rate in each row, or, as the European Central Bank has them, a day in each row and a currency in each column. */
export async function readRatesCsv(ctx: Context, bytes: Buffer): Promise<RatesFile> {
  const records: CsvRecord[] = []
  for await (const record of readCsv([bytes])) {
    records.push(record)
    requireFewRates(records.length - 1)
  }
  const [header] = records
  if (!header) throw invalid('header', 'bad_header', 'The CSV is empty. Its first line must name the columns.')
  const rest = records.slice(1)
  if (isDaily(header)) {
    let count = 0
    const ofDays = await inTurns(rest, (record) => {
      const rates = dailyRates(header, record)
      count += rates.length
      requireFewRates(count)
      return rates
    })
    return fromEuro(ctx, ofDays.flat())
  }
  const names = header.cells.map((cell) => cell?.trim() ?? '')
  const missing = ['from_currency_id', 'to_currency_id', 'rate', 'starts_on'].filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw invalid(
      'header',
      'bad_header',
      `The columns ${missing.join(', ')} are missing. Have them, or "Date" and a column for each currency, as the ECB does.`,
    )
  const known = await minorUnits(ctx)
  const withFewFaults = boundFaults()
  const rows = await inTurns(rest, (record): Row => {
    const row = rowOfRecord(record, { names }, columns)
    if ('refusal' in row) return withFewFaults({ line: row.line, sent: {}, content: row.refusal })
    return withFewFaults({
      line: row.line,
      sent: row.values as Partial<Content>,
      content: outcomeOr(() => contentIn(row.values, known)),
    })
  })
  return {
    rows,
    unknown: names.filter((name) => !Object.hasOwn(columns.read, name) && !columns.ignored.includes(name)),
  }
}

/** The rates of the XML of the European Central Bank. */
export async function readRatesXml(ctx: Context, text: string): Promise<RatesFile> {
  return fromEuro(ctx, await ratesApart(ctx.org, text))
}

/** Puts the rates of a file among those that are there, in lots, each a transaction of its own. A dry run writes nothing. */
export async function* importRates(
  ctx: Context,
  rows: readonly Row[],
  { dryRun }: { dryRun: boolean },
): AsyncGenerator<ReportedRow[]> {
  for await (const lot of lotsOf(asyncOf(rows), { dryRun })) yield await importLot(ctx, lot, dryRun)
}

/** Currencies that are no longer, of which the history of the ECB has some, are passed over and named. */
async function fromEuro(ctx: Context, rates: readonly DailyRate[]): Promise<RatesFile> {
  requireFewRates(rates.length)
  const known = await minorUnits(ctx)
  const withFewFaults = boundFaults()
  const rows = await inTurns(
    rates.filter(({ currency }) => known.has(currency)),
    ({ line, currency, rate, day }): Row => {
      const sent = { from_currency_id: 'eur', to_currency_id: currency, rate, starts_on: day, source: 'ECB' }
      return withFewFaults({ line, sent, content: outcomeOr(() => contentIn(sent, known)) })
    },
  )
  return {
    rows,
    unknown: [...new Set(rates.flatMap(({ currency }) => (known.has(currency) ? [] : [currency.toUpperCase()])))],
  }
}

function requireFewRates(count: number): void {
  if (count > mostRates) throw tooMany(`The file has more than ${mostRates} rates. Split it.`)
}

/** Passes rows on, and refuses a file of which too many cannot be read: it is no file of rates. */
function boundFaults(): (row: Row) => Row {
  let count = 0
  return (row) => {
    if (row.content instanceof Refusal && ++count > mostUnreadable)
      throw tooMany(
        `More than ${mostUnreadable} rates of the file cannot be read. Line ${row.line}: ${row.content.message}`,
      )
    return row
  }
}

function tooMany(message: string): Refusal {
  return new Refusal('too_large', 'too_many_rows', message)
}

function contentIn(sent: Record<string, unknown>, known: ReadonlyMap<string, number>): Content {
  const content = contentOf(check(sent) as NewExchangeRate)
  for (const name of ['from_currency_id', 'to_currency_id'] as const)
    if (!known.has(content[name]))
      throw invalid(
        name,
        'unknown_currency',
        `"${name}": "${content[name]}" is not the lower-case code of an ISO 4217 currency, such as "usd".`,
      )
  return content
}

function importLot(ctx: Context, lot: readonly Row[], dryRun: boolean): Promise<ReportedRow[]> {
  return transaction(ctx, async (ctx) => {
    const contents = lot.flatMap(({ content }) => (content instanceof Refusal ? [] : [content]))
    const there = contents.length > 0 ? await lockAround(ctx, windowsOf(contents)) : []
    const pairs = new Map<string, Range[]>()
    for (const range of there)
      pairs.set(pairOf(range.from, range.to), [...(pairs.get(pairOf(range.from, range.to)) ?? []), { ...range }])
    const reported = lot.map(({ line, sent, content }): ReportedRow => {
      if (content instanceof Refusal) return { line, sent, status: 'failed', refusal: content }
      const pair = pairOf(content.from_currency_id, content.to_currency_id)
      const ranges = pairs.get(pair) ?? []
      pairs.set(pair, ranges)
      const placed = place(ranges, content)
      return { line, sent, status: placed.status, ...(placed.status === 'failed' && { refusal: placed.refusal }) }
    })
    if (!dryRun) await write(ctx, there, pairs)
    return reported
  })
}

/** Those that end earlier make room before others are put there. */
async function write(ctx: Context, there: readonly RangeOfPair[], pairs: ReadonlyMap<string, Range[]>): Promise<void> {
  const before = new Map(there.map((range) => [range.id, range]))
  const after = [...pairs].flatMap(([pair, ranges]) =>
    ranges.map((range) => ({ ...range, from_currency_id: pair.slice(0, 3), to_currency_id: pair.slice(3) })),
  )
  const created = after.filter(({ id }) => id === null).map((range) => ({ ...range, id: newId() }))
  const saved: (Content & { id: string })[] = []
  const events: EventOf[] = []
  for (const range of after) {
    const was = before.get(range.id ?? '')
    const changed = was ? (['rate', 'ends_on', 'source'] as const).filter((name) => was[name] !== range[name]) : []
    if (!was || changed.length === 0) continue
    saved.push({ ...range, id: was.id })
    events.push({
      type: 'exchange_rate.updated',
      id: was.id,
      previous: Object.fromEntries(changed.map((name) => [name, was[name]])),
    })
  }
  try {
    await saveRates(ctx, saved)
    await insertRates(ctx, created)
  } catch (error) {
    throw isOverlap(error)
      ? conflict('rates_overlap', 'Another request has put rates on the same days meanwhile. Import the file again.')
      : error
  }
  await recordRates(ctx, [...events, ...created.map(({ id }): EventOf => ({ type: 'exchange_rate.created', id }))])
}

function windowsOf(contents: readonly Content[]): Window[] {
  const windows = new Map<string, Window>()
  for (const { from_currency_id: from, to_currency_id: to, starts_on, ends_on } of contents) {
    const { first, last } = windows.get(pairOf(from, to)) ?? { first: starts_on, last: starts_on }
    const end = ends_on ?? starts_on
    windows.set(pairOf(from, to), {
      from,
      to,
      first: starts_on < first ? starts_on : first,
      last: end > last ? end : last,
    })
  }
  return [...windows.values()]
}

function pairOf(from: string, to: string): string {
  return from + to
}

async function* asyncOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
