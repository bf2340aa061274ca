import { withoutEnd } from '../core/values/text.ts'
import type { OutlinedGroup, OutlinedInterchange, OutlinedTransaction } from './outline.ts'
import type { Fault } from './read.ts'
import { clean, type WrittenTransaction, writeX12 } from './write.ts'

const functional = { group: 'FA', set: '997' } as const

export type AcknowledgedStatus = 'accepted' | 'accepted_with_errors' | 'rejected'

export type AcknowledgedInterchange = {
  interchange: OutlinedInterchange
  /** Whether what it holds was taken over. A file is taken as a whole or not at all. */
  isTaken: boolean
  /** What is wrong with it; where it was taken, what could be done without. */
  faults: readonly Fault[]
  /** Our own control number. */
  number: number
  at: Date
}

export function statusOf({ isTaken, faults }: Pick<AcknowledgedInterchange, 'isTaken' | 'faults'>): AcknowledgedStatus {
  if (!isTaken) return 'rejected'
  return faults.length > 0 ? 'accepted_with_errors' : 'accepted'
}

/**
 * The functional acknowledgement (X12 997) of an interchange: an interchange back to its sender with a 997 for each group. What is wrong with the envelope
 * itself is said by a TA1, which stands before the groups.
 */
export function acknowledge({ interchange, isTaken, faults, number, at }: AcknowledgedInterchange): string {
  const { isa, groups } = interchange
  const ofEnvelope = faults.find((fault) => !groups.some((group) => faultsWithin(group, [fault]).length > 0))
  const transactions = groups.map((group, index) =>
    answerTo(group, String(index + 1).padStart(4, '0'), isTaken, faults),
  )
  const first = groups[0]?.elements ?? []
  const [sender, receiver] = [part(first, 2) || part(isa, 6), part(first, 3) || part(isa, 8)]
  const group = {
    code: functional.group,
    sender: receiver,
    receiver: sender,
    control: String(number),
    version: part(first, 8) || '004010',
    transactions,
  }
  return writeX12(
    {
      sender: { qualifier: part(isa, 7), id: part(isa, 8) },
      receiver: { qualifier: part(isa, 5), id: part(isa, 6) },
      ...{ at, control: number, isTest: part(isa, 15) === 'T', version: '004010' },
    },
    groups.length === 0 ? [] : [group],
    ofEnvelope ? [`TA1*${part(isa, 13)}*${part(isa, 9)}*${part(isa, 10)}*R*${noteOf(ofEnvelope)}`] : [],
  )
}

/** The note code of a TA1: what a file that breaks off lacks is behind its last segment. */
function noteOf({ tag, error }: Fault): string {
  if (/^\d{3}$/.test(error)) return error
  return tag === 'GE' || tag === 'SE' ? '023' : '022'
}

/** A 997: what became of a group and of each transaction in it. */
function answerTo(
  { elements, transactions, ...group }: OutlinedGroup,
  control: string,
  isTaken: boolean,
  faults: readonly Fault[],
): WrittenTransaction {
  const within = faultsWithin(group, faults)
  const ofGroup = within.filter(({ tag }) => tag === 'GS' || tag === 'GE')
  const answers = transactions.map((transaction) => ({
    segments: answerToOne(transaction, isTaken, within),
    noted: faultsWithin(transaction, within),
  }))
  const code = isTaken ? (within.length > 0 ? 'E' : 'A') : 'R'
  const count = transactions.length
  const segments = [
    `AK1*${part(elements, 1)}*${part(elements, 6)}`,
    ...answers.flatMap(({ segments }) => segments),
    `AK9*${code}*${count}*${count}*${isTaken ? count : 0}*${[...new Set(ofGroup.map(({ error }) => error))].slice(0, 5).join('*')}`,
  ]
  return { code: functional.set, control, segments: segments.map((text) => withoutEnd(text, '*')) }
}

function answerToOne(
  { code, control, ...span }: OutlinedTransaction,
  isTaken: boolean,
  faults: readonly Fault[],
): string[] {
  const own = faultsWithin(span, faults)
  const [ofSegments, ofEnds] = [own.filter(isOfSegment), own.filter((fault) => !isOfSegment(fault))]
  const codes = [...new Set([...ofEnds.map(({ error }) => error), ...(ofSegments.length > 0 ? ['5'] : [])])]
  const verdict = isTaken ? (own.length > 0 ? 'E' : 'A') : 'R'
  return [
    `AK2*${clean(code)}*${clean(control)}`,
    ...ofSegments.flatMap((fault) => segmentsOf(fault, span.from)),
    `AK5*${verdict}*${codes.slice(0, 5).join('*')}`,
  ]
}

/** Faults of ST and SE themselves are said in the verdict (AK5), those of other segments by AK3 and AK4. */
function isOfSegment({ tag, missing }: Fault): boolean {
  return (tag !== 'ST' && tag !== 'SE' && missing !== 'SE') || (missing !== undefined && missing !== 'SE')
}

function segmentsOf({ tag, place, element, error, missing, value }: Fault, start: number): string[] {
  const position = place - start + 1
  if (missing !== undefined) return [`AK3*${missing}*${position + 1}**3`]
  if (element === null) return [`AK3*${clean(tag)}*${position}**${error}`]
  return [`AK3*${clean(tag)}*${position}**8`, `AK4*${element}**${error}*${clean(value ?? '').slice(0, 99)}`]
}

function faultsWithin({ from, to }: { from: number; to: number }, faults: readonly Fault[]): Fault[] {
  return faults.filter(({ place }) => place >= from && place <= to)
}

/** Finds an element by its number. */
function part(elements: readonly string[], element: number): string {
  return clean(elements[element - 1] ?? '')
}
