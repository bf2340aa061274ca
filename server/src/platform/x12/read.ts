import { quote, Refusal } from '../core/refusal.ts'

/** A segment of an interchange: `B3*…` has the tag `B3`; its first element is `elements[0]`. `place` counts the segments of the file from 1. */
export type Segment = { tag: string; elements: readonly string[]; place: number }
/** `ST` to `SE`, both left out. */
export type Transaction = { code: string; control: string; start: Segment; segments: readonly Segment[] }
/** `GS` to `GE`. */
export type Group = { control: string; transactions: readonly Transaction[] }
/** `ISA` to `IEA`. `sender` is the qualifier and the id; `date` is as it was sent, YYMMDD. `notes` are its TA1: what became of interchanges sent before. */
export type Interchange = {
  sender: string
  date: string
  control: string
  notes: readonly Segment[]
  groups: readonly Group[]
}

/** How long each element of an ISA is: it is the one segment of fixed length, and says by its places which characters separate the rest. */
const lengthsOfIsa = [2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1]
const lengthOfIsa = 106

/** Reads the interchanges of a file, and holds counts and control numbers against what is there. What is wrong is refused with its place. */
export function readX12(text: string): Interchange[] {
  const interchanges: Interchange[] = []
  const reader = { text: text.replace(/^\ufeff/, ''), at: 0, place: 0 }
  skipBlanks(reader)
  do {
    interchanges.push(readInterchange(reader))
    skipBlanks(reader)
  } while (reader.at < reader.text.length)
  return interchanges
}

/** What is wrong with a segment, or with an element of it. `error` is the code for it in a functional acknowledgement (997), `missing` a segment that is not there. */
export type Fault = {
  tag: string
  place: number
  element: number | null
  error: string
  missing?: string
  value?: string
  message: string
}

type Wrong = Pick<Segment, 'tag' | 'place'> & { elements?: readonly string[] }

/** A refusal that names the segment, and the element where one is meant. Without a code it is an element with a wrong character, or a segment out of place. */
export function badEdi(
  segment: Wrong,
  element: number | null,
  why: string,
  { error, missing }: { error?: string; missing?: string } = {},
): Refusal {
  const fault = faultAt(segment, element, why, {
    error: error ?? (element === null ? '2' : '6'),
    ...(missing && { missing }),
  })
  return refusalOf([fault])
}

export function faultAt(
  { tag, place, elements = [] }: Wrong,
  element: number | null,
  why: string,
  { error, missing }: { error: string; missing?: string },
): Fault {
  const name = element === null ? tag : `${tag}${String(element).padStart(2, '0')}`
  const value = element === null ? undefined : elements[element - 1]
  const message = `Segment ${place} (${tag})${element === null ? '' : `, element ${name}`}: ${why}`
  return { tag, place, element, error, message, ...(missing && { missing }), ...(value && { value }) }
}

/** Refuses a file for these faults: the message is that of the first. */
export function refusalOf(faults: readonly Fault[]): Refusal {
  const [first] = faults as [Fault, ...Fault[]]
  const field = first.element === null ? first.tag : `${first.tag}${String(first.element).padStart(2, '0')}`
  return new Refusal('invalid', 'bad_edi', first.message, {
    details: [{ field, code: 'bad_edi', message: first.message }],
    cause: { faults },
  })
}

/** What a file was refused for; nothing where something else was wrong than its EDI. */
export function faultsIn(error: unknown): readonly Fault[] {
  const { faults } = (error instanceof Refusal && (error.cause as { faults?: readonly Fault[] } | undefined)) || {
    faults: [],
  }
  return faults ?? []
}

type Reader = { text: string; at: number; place: number }
type Separators = { element: string; terminator: string }

function skipBlanks(reader: Reader): void {
  while (/\s/.test(reader.text.charAt(reader.at))) reader.at += 1
}

function readInterchange(reader: Reader): Interchange {
  const { separators, elements, segment } = readIsa(reader)
  const next = () => readSegment(reader, separators)
  const groups: Group[] = []
  const notes: Segment[] = []
  const [control = '', date = ''] = [elements[12], elements[8]]
  for (let found = next(); ; found = next()) {
    if (!found)
      throw badEdi(
        { tag: 'IEA', place: reader.place + 1 },
        null,
        `it is missing: the interchange that begins in segment ${segment.place} has no end.`,
        {
          error: '023',
        },
      )
    if (found.tag === 'IEA') {
      requireEnd(found, groups.length, 'groups', control)
      return { sender: `${elements[4]?.trim()}:${elements[5]?.trim()}`, date, control, notes, groups }
    }
    // The answer to an interchange that was sent before; it stands between ISA and GS.
    if (found.tag === 'TA1') {
      notes.push(found)
      continue
    }
    if (found.tag !== 'GS')
      throw badEdi(found, null, 'a group (GS) or the end of the interchange (IEA) must stand here.', { error: '022' })
    groups.push(readGroup(found, next, reader))
  }
}

function readIsa(reader: Reader): { separators: Separators; elements: readonly string[]; segment: Segment } {
  reader.place += 1
  const { text, at, place } = reader
  const segment = { tag: 'ISA', place }
  const head = text.slice(at, at + lengthOfIsa)
  if (!head.startsWith('ISA')) throw badEdi(segment, null, 'an interchange begins with ISA, and the file does not.')
  const [element = '', terminator = ''] = [head.charAt(3), head.charAt(lengthOfIsa - 1)]
  if (/^[A-Za-z0-9\s]?$/.test(element)) throw badEdi(segment, null, 'no character behind ISA separates its elements.')
  const elements = head.slice(4, lengthOfIsa - 1).split(element)
  const wrong = lengthsOfIsa.findIndex((length, index) => elements[index]?.length !== length)
  if (wrong !== -1) {
    const has = elements[wrong] === undefined ? 'it is missing' : `it has ${elements[wrong]?.length}`
    throw badEdi(
      segment,
      wrong + 1,
      `it must have ${lengthsOfIsa[wrong]} characters, and ${has}. An ISA has ${lengthOfIsa} characters in all.`,
    )
  }
  if (elements.length > lengthsOfIsa.length || /^[A-Za-z0-9 ]?$/.test(terminator) || terminator === element)
    throw badEdi(segment, null, `the character at its end, its ${lengthOfIsa}th, must be the one that ends segments.`)
  if (!/^\d{9}$/.test(elements[12] ?? '')) throw badEdi(segment, 13, 'the control number must be 9 digits.')
  reader.at = at + lengthOfIsa
  return { separators: { element, terminator }, elements, segment: { ...segment, elements } }
}

/** The next segment; null at the end of the file. */
function readSegment(reader: Reader, { element, terminator }: Separators): Segment | null {
  const { text } = reader
  // Line breaks and blanks between segments are for people. Where one is what ends segments, the others are.
  while (/\s/.test(text.charAt(reader.at)) && text.charAt(reader.at) !== terminator) reader.at += 1
  if (reader.at >= text.length) return null
  const end = text.indexOf(terminator, reader.at)
  reader.place += 1
  const [tag = '', ...elements] = text.slice(reader.at, end === -1 ? undefined : end).split(element)
  const segment = { tag: tag.trim().slice(0, 10), elements, place: reader.place }
  if (end === -1) throw badEdi(segment, null, 'the file ends in the middle of it.')
  if (!/^[A-Z][A-Z0-9]{1,2}$/.test(tag))
    throw badEdi(
      { ...segment, tag: segment.tag || 'empty' },
      null,
      'it does not begin with the name of a segment, such as B3.',
    )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
  const wrong = elements.findIndex((value) => /[\x00-\x1f\x7f]/.test(value) || !value.isWellFormed())
  if (wrong !== -1) throw badEdi(segment, wrong + 1, 'it contains a character that is no text.')
  reader.at = end + 1
  return segment
}

function readGroup(start: Segment, next: () => Segment | null, reader: Reader): Group {
  const control = start.elements[5]?.trim() ?? ''
  if (!isControl(control))
    throw badEdi(start, 6, 'the control number of the group must be 1 to 20 letters and digits.', { error: '6' })
  const transactions: Transaction[] = []
  for (let found = next(); ; found = next()) {
    if (!found)
      throw badEdi(
        { tag: 'GE', place: reader.place + 1 },
        null,
        `it is missing: the group that begins in segment ${start.place} has no end.`,
        { error: '3' },
      )
    if (found.tag === 'GE') {
      requireEnd(found, transactions.length, 'transactions', control)
      return { control, transactions }
    }
    if (found.tag !== 'ST')
      throw badEdi(found, null, 'a transaction (ST) or the end of the group (GE) must stand here.')
    transactions.push(readTransaction(found, next, reader))
  }
}

function readTransaction(start: Segment, next: () => Segment | null, reader: Reader): Transaction {
  const [code = '', control = ''] = start.elements.map((value) => value.trim())
  if (!isControl(control))
    throw badEdi(start, 2, 'the control number of the transaction must be 1 to 20 letters and digits.', { error: '7' })
  const segments: Segment[] = []
  for (let found = next(); ; found = next()) {
    if (!found)
      throw badEdi(
        { tag: 'SE', place: reader.place + 1 },
        null,
        `it is missing: the transaction that begins in segment ${start.place} has no end.`,
        {
          error: '2',
        },
      )
    if (found.tag === 'SE') {
      requireEnd(found, segments.length + 2, 'segments, ST and SE included,', control)
      return { code, control, start, segments }
    }
    if (['ISA', 'IEA', 'GS', 'GE', 'ST'].includes(found.tag))
      throw badEdi(found, null, `the transaction that begins in segment ${start.place} has not ended: SE is missing.`, {
        error: '2',
        missing: 'SE',
      })
    segments.push(found)
  }
}

/** The standard allows nine; some senders use more. */
function isControl(text: string): boolean {
  return /^[A-Za-z0-9]{1,20}$/.test(text)
}

/** The codes of an acknowledgement for a count and for a control number that are not right. */
const codesOfEnds: Record<string, { count: string; control: string }> = {
  SE: { count: '4', control: '3' },
  GE: { count: '5', control: '4' },
  IEA: { count: '021', control: '001' },
}

/** What ends something counts what is in it, and repeats its control number. */
function requireEnd(end: Segment, count: number, what: string, control: string): void {
  const codes = codesOfEnds[end.tag] ?? { count: '5', control: '5' }
  const [said = '', repeated = ''] = end.elements.map((value) => value.trim())
  if (!/^\d{1,10}$/.test(said) || Number(said) !== count)
    throw badEdi(end, 1, `it says that there are ${quote(said)} ${what} and there are ${count}.`, {
      error: codes.count,
    })
  const isSame = repeated === control || (/^\d+$/.test(repeated + control) && Number(repeated) === Number(control))
  if (!isSame)
    throw badEdi(end, 2, `the control number is ${quote(repeated)}, and at the beginning it is ${quote(control)}.`, {
      error: codes.control,
    })
}
