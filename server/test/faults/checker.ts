import type { History, Kind, Read, Write } from './history.ts'

/** What is in the database of the records that the load made; the lines of a bill are in their order. */
export type State = {
  rows: { kind: Kind; org: string; mark: string; id: string; list?: string }[]
  numbers: { org: string; kind: string; id: string; number: number }[]
}

/** Holds what clients were answered against what is there. Everything is a sentence for people. */
export function historyFaults(history: History, state: State): string[] {
  return [...fateFaults(history.writes, state), ...numberFaults(history, state), ...allListFaults(history, state)]
}

/** Every acknowledged write is there once, under the id that was answered; every refused one is not; an unknown one is there once or not at all. */
function fateFaults(writes: readonly Write[], { rows }: State): string[] {
  const found = Map.groupBy(rows, ({ kind, org, mark }) => `${kind} ${org} ${mark}`)
  const faults: string[] = []
  for (const { kind, org, mark, fate, id, answer } of writes) {
    const there = found.get(`${kind} ${org} ${mark}`) ?? []
    const what = `The ${kind} ${mark}`
    if (there.length > 1) faults.push(`${what} is there ${there.length} times.`)
    else if (fate === 'acknowledged' && there.length === 0)
      faults.push(`${what} was acknowledged (${answer}) and is not there.`)
    else if (fate === 'refused' && there.length === 1) faults.push(`${what} was refused (${answer}) and is there.`)
    else if (fate === 'acknowledged' && id !== null && there[0]?.id !== id)
      faults.push(`${what} was answered with the id ${id} and has the id ${there[0]?.id}.`)
  }
  return faults
}

/** No number twice, none left out, and each bill has the number that it was answered with. */
function numberFaults({ numbers: answered }: History, { numbers }: State): string[] {
  const faults: string[] = []
  for (const [series, given] of Map.groupBy(numbers, ({ org, kind }) => `${kind} of the organization ${org}`)) {
    const sorted = given.map(({ number }) => number).sort((a, b) => a - b)
    const wrong = sorted.find((number, index) => number !== index + 1)
    if (wrong !== undefined)
      faults.push(`The numbers of ${series} do not count from 1 to ${sorted.length}: see ${wrong}.`)
  }
  const byBill = new Map(numbers.filter(({ kind }) => kind === 'bills').map(({ id, number }) => [id, number]))
  for (const { bill, number } of answered) {
    if (Number(/\d+$/.exec(number)?.[0]) !== byBill.get(bill))
      faults.push(`The bill ${bill} was answered with the number ${number} and has ${byBill.get(bill)}.`)
  }
  return faults
}

function allListFaults({ writes, reads }: History, { rows }: State): string[] {
  const finals = Map.groupBy(rows, ({ list }) => list)
  const appends = Map.groupBy(writes, ({ list }) => list)
  const seen = Map.groupBy(reads, ({ list }) => list)
  const lists = new Set([...appends.keys(), ...seen.keys()].filter((list) => list !== undefined))
  return [...lists].flatMap((list) => {
    const final = (finals.get(list) ?? []).map(({ mark }) => mark)
    return listFaults(list, final, appends.get(list) ?? [], seen.get(list) ?? [])
  })
}

/**
 * The list-append check in its simple form: all reads of a list are beginnings of one order; what was acknowledged before a read began is in it;
 * and of two appends of which one was acknowledged before the other began, the first comes first.
 */
export function listFaults(
  list: string,
  final: readonly string[],
  appends: readonly Write[],
  reads: readonly Read[],
): string[] {
  const place = new Map(final.map((mark, index) => [mark, index]))
  const acknowledged = appends.filter(({ fate, mark }) => fate === 'acknowledged' && place.has(mark))
  const began = new Map(appends.map((append) => [append.mark, append.began]))
  const faults: string[] = []
  if (place.size < final.length) faults.push(`The list ${list} has an entry twice.`)
  for (const read of reads) {
    const differs = read.marks.findIndex((mark, index) => mark !== final[index])
    if (differs >= 0)
      faults.push(
        `A read of the list ${list} had ${read.marks[differs]} in place ${differs + 1}, where in the end there is ${final[differs]}.`,
      )
    const missing = acknowledged.find(
      ({ mark, ended }) => ended < read.began && (place.get(mark) as number) >= read.marks.length,
    )
    if (missing)
      faults.push(`A read of the list ${list} lacks ${missing.mark}, which was acknowledged before the read began.`)
    const early = read.marks.find((mark) => (began.get(mark) ?? 0) > read.ended)
    if (early) faults.push(`A read of the list ${list} had ${early} before it was appended.`)
  }
  for (const later of acknowledged) {
    const earlier = acknowledged.find(
      ({ mark, ended }) => ended < later.began && (place.get(mark) as number) > (place.get(later.mark) as number),
    )
    if (earlier)
      faults.push(
        `In the list ${list} ${later.mark} stands before ${earlier.mark}, which was acknowledged before it began.`,
      )
  }
  return faults
}
