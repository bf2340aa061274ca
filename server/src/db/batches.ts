import type { Row } from './database.ts'
import type { Statement, Together } from './sql.ts'

/** Answering twice is harmless: a promise keeps its first answer. */
export type Read = { org: string; statement: Statement; alone: boolean; resolve(rows: Row[]): void; reject(error: unknown): void }

/** A query, and who waits for which part of its answer. */
export type Query = { text: string; values: readonly unknown[]; readers: Read[][]; together: boolean }

/** Waiting by text, within that by the values they share, and within that by the one in which they differ: equal reads stand together. */
export type Waiting = Map<string, Map<string, Map<unknown, Read[]>>>

const mostQueries = 64
const mostTogether = 256

export function wait(waiting: Waiting, read: Read): void {
  const { statement, alone } = read
  const together = alone ? undefined : statement.together
  const alike = inner(waiting, together?.text ?? statement.text)
  const group = inner(alike, keyOf(together ? sharedIn(statement.values, together) : statement.values))
  const key = together ? statement.values[together.places[0] as number] : null
  const equal = group.get(key)
  if (equal) equal.push(read)
  else group.set(key, [read])
}

export function takeBatch(waiting: Waiting): Query[] {
  const batch: Query[] = []
  for (const [text, alike] of waiting) {
    for (const [shared, group] of alike) {
      if (batch.length === mostQueries) return batch
      const taken = [...group].slice(0, mostTogether)
      batch.push(queryFor(taken))
      for (const [key] of taken) group.delete(key)
      if (group.size === 0) alike.delete(shared)
    }
    if (alike.size === 0) waiting.delete(text)
  }
  return batch
}

function queryFor(taken: [unknown, Read[]][]): Query {
  const readers = taken.map(([, reads]) => reads)
  const { text, values, together } = (taken as [[unknown, [Read]]])[0][1][0].statement
  if (taken.length === 1 || !together) return { text, values, readers, together: false }
  return { text: together.text, values: [taken.map(([key]) => key), ...sharedIn(values, together)], readers, together: true }
}

function sharedIn(values: readonly unknown[], { places }: Together): readonly unknown[] {
  return values.filter((_, place) => !places.includes(place))
}

/** The same for the same values. A read by id shares one, its organization, which is as good as any JSON that cannot begin as it does. */
function keyOf(values: readonly unknown[]): string {
  const [only] = values
  return values.length === 1 && typeof only === 'string' && !only.startsWith('[') ? only : JSON.stringify(values)
}

/** Gives everyone their rows of an answer whose rows begin with the place of their reader. */
export function handOut({ readers }: Query, rows: unknown[][], columns: readonly { name: string }[]): void {
  const answers: Row[][] = readers.map(() => [])
  const names = columns.map(({ name }) => name)
  for (const values of rows) {
    const row: Row = {}
    for (let column = 1; column < names.length; column++) row[names[column] as string] = values[column]
    answers[(values[0] as number) - 1]?.push(row)
  }
  readers.forEach((reads, index) => {
    for (const read of reads) read.resolve(answers[index] as Row[])
  })
}

function inner<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const found = map.get(key)
  if (found) return found
  const made = new Map<L, V>()
  map.set(key, made)
  return made
}
