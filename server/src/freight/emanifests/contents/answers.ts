import { badEdi, type Interchange, readX12, type Segment, type Transaction } from '../../../platform/x12/read.ts'
import type { Border } from './codes.ts'
import type { Problem, ShipmentStatus } from './model.ts'

/** What came back from customs. `about` is what it answers: an interchange by its control number, or a trip. */
export type Answer = {
  /** Tells a second arrival of the same. */
  key: string
  kind: 'TA1' | '997' | '355' | '350'
  about: { control: number } | { border: Border; trip: string; control: number | null }
  outcome: 'accepted' | 'rejected' | 'status'
  problems: Problem[]
  statuses: ShipmentStatus[]
  messages: string[]
}

/** All acknowledgements of a file. Anything else in it, or anything wrong, refuses the whole file. */
export function readAnswers(text: string): Answer[] {
  const answers = readX12(text).flatMap((interchange) => [
    ...interchange.notes.map((note, index) => readNote(note, keyOf(interchange, 'TA1', index + 1))),
    ...interchange.groups.flatMap((group) =>
      group.transactions.flatMap((transaction) =>
        readOne(transaction, keyOf(interchange, group.control, transaction.control)),
      ),
    ),
  ])
  if (answers.length === 0)
    throw badEdi({ tag: 'ST', place: 1 }, null, 'the file holds no acknowledgement: no TA1, 997, 355 or 350.')
  return answers
}

/** Control numbers are counted by their sender; the date tells those of different years. */
function keyOf({ sender, date, control }: Interchange, ...parts: readonly (string | number)[]): string {
  return [sender, date, control, ...parts].join(':').slice(0, 250)
}

function readOne(transaction: Transaction, key: string): Answer {
  switch (transaction.code) {
    case '997':
      return readSyntax(transaction, key)
    case '355':
      return readDecision(transaction, key)
    case '350':
      return readStatus(transaction, key)
    default:
      throw badEdi(
        transaction.start,
        1,
        `a transaction ${transaction.code} is no acknowledgement of an e-manifest; 997, 355 and 350 are.`,
        { error: '1' },
      )
  }
}

const none = { problems: [], statuses: [], messages: [] }

/** Reads what became of an envelope. */
function readNote(note: Segment, key: string): Answer {
  const [control = '', , , code = '', reason = ''] = note.elements.map((value) => value.trim())
  if (!/^\d{9}$/.test(control))
    throw badEdi(note, 1, 'the control number of the interchange that it answers must be 9 digits.')
  const isRefused = code === 'R'
  const message = `TA1: ${isRefused ? 'the envelope was rejected' : 'the envelope was accepted'}${reason && reason !== '000' ? `, note ${reason}` : ''}`
  const problems = isRefused ? [{ control_number: null, code: reason || null, message }] : []
  return {
    ...none,
    key,
    kind: 'TA1',
    about: { control: Number(control) },
    outcome: isRefused ? 'rejected' : 'accepted',
    problems,
    messages: [message],
  }
}

/** Whether the syntax of a group was accepted. Our groups have the control number of their interchange. */
function readSyntax({ start, segments }: Transaction, key: string): Answer {
  const group = segments.find(({ tag }) => tag === 'AK1')
  const end = segments.find(({ tag }) => tag === 'AK9')
  if (!group)
    throw badEdi(start, null, 'the acknowledgement has no AK1, which says what it answers.', {
      error: '3',
      missing: 'AK1',
    })
  if (!end)
    throw badEdi(start, null, 'the acknowledgement has no AK9, which says whether it was accepted.', {
      error: '3',
      missing: 'AK9',
    })
  const control = group.elements[1]?.trim() ?? ''
  if (!/^\d{1,9}$/.test(control))
    throw badEdi(group, 2, 'the control number of the group that it answers must be a number.')
  const isTaken = ['A', 'E'].includes(end.elements[0]?.trim() ?? '')
  const faults = segments.flatMap(({ tag, elements }) => {
    if (tag === 'AK3')
      return [`segment ${elements[0]} at place ${elements[1]}${elements[3] ? `, error ${elements[3]}` : ''}`]
    return tag === 'AK4'
      ? [`element ${elements[0]}${elements[2] ? `, error ${elements[2]}` : ''}${elements[3] ? `: ${elements[3]}` : ''}`]
      : []
  })
  const verdict = isTaken ? 'the syntax was accepted' : 'the syntax was rejected'
  const messages = [`997: ${verdict}`, ...faults]
  const syntax = '997'
  const problems = isTaken
    ? []
    : (faults.length > 0 ? faults : [verdict]).map((message) => ({
        control_number: null,
        code: syntax,
        message: `${syntax}: ${message}`,
      }))
  return {
    ...none,
    key,
    kind: '997',
    about: { control: Number(control) },
    outcome: isTaken ? 'accepted' : 'rejected',
    problems,
    messages,
  }
}

/** Remarks that reject nothing. */
const harmless = /^\s*(?:ACCEPTED|WARN(?:ING)?|INFO(?:RMATION)?)\b/i

/**
 * The decision of customs. Each remark (K1) is about the shipment under which it stands, or about the whole; one that begins with ACCEPTED, WARNING or INFO rejects
 * nothing, and any other does.
 */
function readDecision(transaction: Transaction, key: string): Answer {
  let shipment: string | null = null
  const remarks: Problem[] = []
  for (const { tag, elements } of transaction.segments) {
    if (tag === 'LX') shipment = null
    else if (tag === 'M11') shipment = elements[0]?.trim() || null
    else if (tag === 'M13') shipment = elements[3]?.trim() || null
    else if (tag === 'MBL') shipment = elements[1]?.trim() || null
    else if (tag === 'K1') remarks.push(remarkOf(elements, shipment))
  }
  const problems = remarks.filter(({ message, code }) => !harmless.test(code ?? '') && !harmless.test(message))
  const outcome = problems.length > 0 ? 'rejected' : 'accepted'
  const messages = remarks.map(({ control_number, code, message }) =>
    [control_number, code, message].filter(Boolean).join(' '),
  )
  return {
    ...none,
    key,
    kind: '355',
    about: tripIn(transaction),
    outcome,
    problems,
    messages: [`355: ${outcome}`, ...messages],
  }
}

/** `K1*042*INVALID ADDRESS`: a code and what it means; one of the two may be left out. */
function remarkOf(elements: readonly string[], control_number: string | null): Problem {
  const [first = '', second = ''] = elements.map((value) => value.trim())
  return second === ''
    ? { control_number, code: null, message: first }
    : { control_number, code: first || null, message: second }
}

/** What became of shipments (X4) and of the trip (V9) since. */
function readStatus(transaction: Transaction, key: string): Answer {
  const statuses: ShipmentStatus[] = []
  for (const { tag, elements } of transaction.segments) {
    const value = (element: number) => elements[element - 1]?.trim() || null
    const last = statuses.at(-1)
    if (tag === 'X4')
      statuses.push({
        control_number: value(1),
        code: value(7) ?? '',
        at: momentOf(value(5), value(6)),
        entry_number: value(4),
        message: null,
      })
    else if (tag === 'V9')
      statuses.push({
        control_number: null,
        code: value(1) ?? '',
        at: momentOf(value(3), value(4)),
        entry_number: null,
        message: value(2),
      })
    else if (tag === 'K1' && last) last.message = [last.message, value(1), value(2)].filter(Boolean).join(' ')
  }
  if (statuses.length === 0)
    throw badEdi(transaction.start, null, 'the status information has neither an X4 nor a V9.', {
      error: '3',
      missing: 'X4',
    })
  const messages = statuses.map(({ control_number, code, message }) =>
    [control_number ?? 'trip', code, message].filter(Boolean).join(' '),
  )
  return { ...none, key, kind: '350', about: tripIn(transaction), outcome: 'status', statuses, messages }
}

const bordersOf: Record<string, Border> = { US: 'ace', CA: 'aci' }

/** The trip that it is about. `N9*TN` names the control number of the interchange that it answers, where customs says it. */
function tripIn({ start, segments }: Transaction): { border: Border; trip: string; control: number | null } {
  const head = segments.find(({ tag }) => tag === 'M10')
  if (!head)
    throw badEdi(start, null, 'it has no M10, which says which trip it is about.', { error: '3', missing: 'M10' })
  const border = bordersOf[head.elements[2]?.trim().slice(0, 2).toUpperCase() ?? '']
  if (!border) throw badEdi(head, 3, 'the country must be US or CA.')
  const trip = (head.elements[6]?.trim() || head.elements[5]?.trim() || '').toUpperCase()
  if (trip === '') throw badEdi(head, 7, 'the number of the trip is missing.')
  const named =
    segments.find(({ tag, elements }) => tag === 'N9' && elements[0]?.trim() === 'TN')?.elements[1]?.trim() ?? ''
  return { border, trip, control: /^\d{1,9}$/.test(named) ? Number(named) : null }
}

/** `20261118` and `1530`, in UTC. */
function momentOf(day: string | null, time: string | null): string | null {
  const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(day ?? '') ?? []
  if (!year) return null
  const [, hour = '00', minute = '00'] = /^(\d{2})(\d{2})/.exec(time ?? '') ?? []
  const moment = new Date(`${year}-${month}-${date}T${hour}:${minute}:00.000Z`)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
