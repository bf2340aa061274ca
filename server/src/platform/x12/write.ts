import { withoutEnd } from '../core/values/text.ts'

/** Who sends or receives an interchange: the qualifier says what kind of code the id is. */
export type Party = { qualifier: string; id: string }

/** `version` is the release that the envelope follows, such as 004010. */
export type Envelope = { sender: Party; receiver: Party; at: Date; control: number; isTest: boolean; version: string }

/** `segments` are those between ST and SE, as `segment` makes them. */
export type WrittenTransaction = { code: string; control: string; segments: readonly string[] }
export type WrittenGroup = {
  code: string
  sender: string
  receiver: string
  control: string
  version: string
  transactions: readonly WrittenTransaction[]
}

/** An interchange with these groups; `ahead` are segments that stand before them. Segments end with `~` and a line break, elements are separated by `*`. */
export function writeX12(
  { sender, receiver, at, control, isTest, version }: Envelope,
  groups: readonly WrittenGroup[],
  ahead: readonly string[] = [],
): string {
  const [day, time] = [
    at.toISOString().slice(0, 10).replaceAll('-', ''),
    at.toISOString().slice(11, 16).replace(':', ''),
  ]
  const number = String(control % 1_000_000_000).padStart(9, '0')
  const parties = [
    fixed(sender.qualifier, 2),
    fixed(sender.id, 15),
    fixed(receiver.qualifier, 2),
    fixed(receiver.id, 15),
  ]
  // Up to 00401 the eleventh element names a standard; since then it is the character that separates repetitions.
  const isOld = version < '004020'
  return [
    [
      'ISA',
      '00',
      fixed('', 10),
      '00',
      fixed('', 10),
      ...parties,
      day.slice(2),
      time,
      isOld ? 'U' : '^',
      version.slice(0, 5),
      number,
      '0',
      isTest ? 'T' : 'P',
      '>',
    ].join('*'),
    ...ahead,
    ...groups.flatMap((group) => writeGroup(group, day, time)),
    `IEA*${groups.length}*${number}`,
  ]
    .map((text) => `${withoutEnd(text, '*')}~\n`)
    .join('')
}

function writeGroup(
  { code, sender, receiver, control, version, transactions }: WrittenGroup,
  day: string,
  time: string,
): string[] {
  return [
    segment('GS', code, sender, receiver, day, time, control, 'X', version),
    ...transactions.flatMap(({ code, control, segments }) => [
      `ST*${code}*${control}`,
      ...segments,
      `SE*${segments.length + 2}*${control}`,
    ]),
    `GE*${transactions.length}*${control}`,
  ]
}

/** A segment with its elements, without the empty ones at its end. */
export function segment(tag: string, ...elements: readonly (string | number | null | undefined)[]): string {
  return withoutEnd([tag, ...elements.map((element) => clean(String(element ?? '')))].join('*'), '*')
}

/**
 * A text without what would separate ours, and never a longer one. Letters with marks lose them: what is not ASCII is refused by many readers. Several such
 * characters are one blank, because some are taken apart into more.
 */
export function clean(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\x20-\x7e]+|[*~>^]/g, ' ')
    .trim()
}

function fixed(text: string, length: number): string {
  return clean(text).padEnd(length).slice(0, length)
}
