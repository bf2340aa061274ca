/** The order of the numbers in dates such as 03/04/2026. */
export type DayOrder = 'day first' | 'month first'

/** What the values of a column say about their order: `either` where all of them could be read both ways, and null where the question does not come up. */
export type FoundOrder = DayOrder | 'either' | null

type Parts = { year: number; month: number; day: number }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Behind the date: a time of the day as spreadsheets write it. */
const time = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AaPp][Mm])?)?`
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}$`)
const twoNumbers = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${time}$`)
const dayAndName = new RegExp(String.raw`^(\d{1,2})[-/. ]*([A-Za-z]{3,9})\.?[-/., ]*(\d{4}|\d{2})${time}$`)
const nameAndDay = new RegExp(
  String.raw`^([A-Za-z]{3,9})\.?[-/ ]*(\d{1,2})(?:st|nd|rd|th)?[-/, ]+(\d{4}|\d{2})${time}$`,
)
/** With its offset it says everything itself, and the server reads it. */
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i

/** The days that spreadsheets count from, and the numbers that are days of 1990 to 2079: smaller and larger ones are no dates of documents. */
const dayZero = Date.UTC(1899, 11, 30)
const [firstSerial, lastSerial] = [32_874, 65_745]
const serial = /^(\d{5})(?:\.(\d+))?$/

/** How the dates of a column are written, found from all of its values. Full stops are only used with the day first. */
export function orderIn(values: readonly string[]): FoundOrder {
  const found = values.flatMap((value) => {
    const [, first = '', sign, second = ''] = twoNumbers.exec(value.trim()) ?? []
    if (!sign) return []
    if (sign === '.' || Number(first) > 12) return ['day first' as const]
    if (Number(second) > 12) return ['month first' as const]
    return [Number(first) === Number(second) ? null : ('either' as const)]
  })
  const [days, monthsFirst] = [found.includes('day first'), found.includes('month first')]
  if (days !== monthsFirst) return days ? 'day first' : 'month first'
  return days || found.includes('either') ? 'either' : null
}

/** The first value that means another day in the other order, to ask with. */
export function firstUnclear(values: readonly string[]): string | null {
  return values.find((value) => orderIn([value]) === 'either')?.trim() ?? null
}

/** A date as the API takes it: a bare day, or with the time of the day that it has. */
export function readDate(text: string, order: DayOrder | null): { cell: string } | { problem: string } {
  if (moment.test(text)) return { cell: text }
  const asNumber = serial.exec(text)
  if (asNumber) return readSerial(text, Number(asNumber[1]), asNumber[2])
  const found = partsOf(text, order)
  if (!found) return { problem: `"${text}" is no date. Write it like 2026-12-31.` }
  const { parts, clock } = found
  const { year, month, day } = parts
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    return {
      problem: `"${text}" is no day of the calendar${order && twoNumbers.test(text) ? `, read with the ${order.replace(' first', '')} first` : ''}.`,
    }
  }
  const cell = date.toISOString().slice(0, 10)
  return clock ? { cell: `${cell}T${clock}` } : { cell }
}

function readSerial(text: string, days: number, fraction: string | undefined): { cell: string } | { problem: string } {
  if (days < firstSerial || days > lastSerial) return { problem: `"${text}" is no date. Write it like 2026-12-31.` }
  const at = new Date(dayZero + Math.round((days + Number(`0.${fraction ?? 0}`)) * 86_400) * 1000).toISOString()
  return { cell: fraction && Number(fraction) > 0 ? at.slice(0, 19) : at.slice(0, 10) }
}

function partsOf(text: string, order: DayOrder | null): { parts: Parts; clock: string | null } | null {
  const [, year, month, day, ...clock] = yearFirst.exec(text) ?? []
  if (year) return whole(year, Number(month), Number(day), clock)
  const [, first, sign, second, lastYear, ...clock2] = twoNumbers.exec(text) ?? []
  if (first && lastYear) {
    const isMonthFirst = sign !== '.' && order === 'month first'
    return isMonthFirst
      ? whole(lastYear, Number(first), Number(second), clock2)
      : whole(lastYear, Number(second), Number(first), clock2)
  }
  const [, dayBefore, name, yearOfName, ...clock3] = dayAndName.exec(text) ?? []
  if (name) return whole(yearOfName, monthOf(name), Number(dayBefore), clock3)
  const [, nameBefore, dayBehind, yearBehind, ...clock4] = nameAndDay.exec(text) ?? []
  return nameBefore ? whole(yearBehind, monthOf(nameBefore), Number(dayBehind), clock4) : null
}

/** 0 where it is no month, which no day is in. */
function monthOf(name: string): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

function whole(
  year: string | undefined,
  month: number,
  day: number,
  [hour, minute, second, half]: (string | undefined)[],
) {
  if (month < 1) return null
  const full = Number(year) + (year?.length === 2 ? 2000 : 0)
  if (hour === undefined) return { parts: { year: full, month, day }, clock: null }
  const hours = (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'pm' ? 12 : 0)
  const two = (number: number | string | undefined) => String(number ?? 0).padStart(2, '0')
  const clock = `${two(hours)}:${two(minute)}:${two(second)}`
  // Spreadsheets write a day at midnight where its cell is formatted with a time.
  return { parts: { year: full, month, day }, clock: clock === '00:00:00' ? null : clock }
}
