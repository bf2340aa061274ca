import type { Row } from '../sql/rows.ts'
import type { BatchedQuery, Statement } from '../sql/sql.ts'

/** Answering twice is harmless: a promise keeps its first answer. */
export type BatchedRead = {
  org: string
  statement: Statement
  alone: boolean
  again: boolean
  resolve(rows: Row[]): void
  reject(error: unknown): void
}

/** A query, and who waits for which part of its answer. */
export type Query = { statement: Statement; readers: BatchedRead[][]; together: boolean }

/** Waiting by text, and within that by the values they share. */
export type WaitingReads = Map<string, Map<string, Group>>

/** By the one value in which they differ, each with its readers; those that differ in nothing are one. */
type Group = { keys: unknown[]; readers: BatchedRead[][] }

const mostQueries = 64
const mostTogether = 256

export function wait(waiting: WaitingReads, read: BatchedRead): void {
  const { statement, alone } = read
  const together = alone ? undefined : statement.together
  const { keys, readers } = groupFor(
    waiting,
    together?.text ?? statement.text,
    together ? sharedKey(statement.values, together) : keyOf(statement.values),
  )
  // Equal ones stand together only where all of the group are equal: to look for one among many costs more than to ask twice in the same query.
  if (!together && readers[0]) readers[0].push(read)
  else {
    keys.push(together ? statement.values[together.places[0] as number] : null)
    readers.push([read])
  }
}

export function takeBatch(waiting: WaitingReads, most = mostQueries): Query[] {
  const batch: Query[] = []
  for (const [text, alike] of waiting) {
    for (const [shared, group] of alike) {
      if (batch.length >= most || batch.length === mostQueries) return batch
      batch.push(takeQuery(group))
      if (group.keys.length === 0) alike.delete(shared)
    }
    if (alike.size === 0) waiting.delete(text)
  }
  return batch
}

function takeQuery(group: Group): Query {
  const keys = group.keys.splice(0, mostTogether)
  const readers = group.readers.splice(0, mostTogether)
  const { statement } = (readers as [[BatchedRead]])[0][0]
  const { values, together } = statement
  if (keys.length === 1 || !together) return { statement, readers, together: false }
  return {
    statement: { name: together.name, text: together.text, values: [keys, ...sharedIn(values, together)] },
    readers,
    together: true,
  }
}

function sharedIn(values: readonly unknown[], { shared }: BatchedQuery): unknown[] {
  return shared.map((place) => values[place])
}

/** A read by id shares its organization alone, which stands in it as often as it names tables. */
function sharedKey(values: readonly unknown[], together: BatchedQuery): string {
  const [first] = together.shared
  const value = first === undefined ? undefined : values[first]
  return isPlain(value) && together.shared.every((place) => values[place] === value)
    ? value
    : keyOf(sharedIn(values, together))
}

/** The same for the same values. One plain value is as good as any JSON that cannot begin as it does. */
function keyOf(values: readonly unknown[]): string {
  const [only] = values
  return values.length === 1 && isPlain(only) ? only : JSON.stringify(values)
}

function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !value.startsWith('[')
}

/** Gives those who ask the same their rows. */
export function handOut({ readers }: Query, rows: Row[]): void {
  for (const read of readers[0] as BatchedRead[]) read.resolve(rows)
}

/** Gives the readers of a query for several their rows, each of which begins with the place of its reader. */
export function handOutByPlace({ readers }: Query, rows: unknown[][], columns: readonly { name: string }[]): void {
  const names = columns.map(({ name }) => name)
  // A copy of what has the columns already is much cheaper than to add them to every row.
  const blank: Row = Object.fromEntries(names.slice(1).map((name) => [name, null]))
  const answers: Row[][] = new Array(readers.length)
  for (const values of rows) {
    const row = { ...blank }
    for (let column = 1; column < names.length; column++) row[names[column] as string] = values[column]
    const place = (values[0] as number) - 1
    const before = answers[place]
    if (before) before.push(row)
    else answers[place] = [row]
  }
  for (let place = 0; place < readers.length; place++) {
    const answer = answers[place] ?? []
    for (const read of readers[place] as BatchedRead[]) read.resolve(answer)
  }
}

function groupFor(waiting: WaitingReads, text: string, shared: string): Group {
  const alike = waiting.get(text) ?? new Map<string, Group>()
  const known = alike.get(shared)
  if (known) return known
  const group = { keys: [], readers: [] }
  waiting.set(text, alike.set(shared, group))
  return group
}
