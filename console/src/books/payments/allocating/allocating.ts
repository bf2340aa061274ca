import { type Currency, readAmount, sumOf } from '../../../app/values/money.ts'

/** A document that is open, as far as dividing a payment needs to know it. */
export type OpenDocument = { id: string; amount_due: number }

/** What each document gets of an amount, the first ones first, until nothing is left. */
export function oldestFirst(amount: number, open: readonly OpenDocument[]): Map<string, number> {
  let left = BigInt(amount)
  const parts = new Map<string, number>()
  for (const { id, amount_due } of open) {
    const due = BigInt(amount_due)
    const part = due < left ? due : left
    if (part > 0n) parts.set(id, Number(part))
    left -= part > 0n ? part : 0n
  }
  return parts
}

export type AmountsReading = {
  /** What of the typed amounts can be read. */
  parts: ReadonlyMap<string, number>
  sum: bigint
  /** What is wrong with an amount, by the id of its document. */
  problems: Record<string, string>
  /** The documents with an amount that are not open any more. */
  gone: readonly string[]
}

/** The typed amounts, each at most what its document is due. An empty one is nothing. */
export function readParts(
  typed: ReadonlyMap<string, string>,
  open: readonly OpenDocument[],
  currency: Currency,
): AmountsReading {
  const parts = new Map<string, number>()
  const problems: Record<string, string> = {}
  for (const { id, amount_due } of open) {
    const text = typed.get(id)?.trim()
    if (!text) continue
    const read = readAmount(text, currency)
    if ('problem' in read) problems[id] = read.problem
    else if (read.amount < 0) problems[id] = 'Enter an amount above 0.'
    else if (read.amount > amount_due) problems[id] = 'This is more than is left to pay.'
    else if (read.amount > 0) parts.set(id, read.amount)
  }
  const known = new Set(open.map(({ id }) => id))
  const gone = [...typed].flatMap(([id, text]) => (text.trim() && !known.has(id) ? [id] : []))
  return { parts, sum: sumOf([...parts.values()]), problems, gone }
}

/** Whether every typed amount can be allocated. */
export function canAllocateAll({ problems, gone }: AmountsReading): boolean {
  return Object.keys(problems).length === 0 && gone.length === 0
}
