import { outlineX12 } from '../../src/platform/x12/outline.ts'
import { readX12, type Segment } from '../../src/platform/x12/read.ts'
import { type Grammar, grammars, type Place } from './grammars.ts'

/** What breaks the grammar of an interchange, each with its segment and element; nothing where it is as the grammar wants it. */
export function faultsOf(text: string): string[] {
  const outlines = outlineX12(text)
  return readX12(text).flatMap(({ groups }, index) =>
    groups.flatMap(({ transactions }, place) => {
      const { elements } = outlines[index]?.groups[place] ?? { elements: [] }
      const [group = '', , , , , , , version = ''] = elements
      return transactions.flatMap(({ code, segments }) => {
        const grammar = grammars.find((one) => one.set === code && version.startsWith(one.version))
        if (!grammar) return [`there is no grammar of ${code} in release ${version}`]
        return [
          ...(grammar.group === group ? [] : [`GS01: a ${code} is in a group ${grammar.group}, not ${group}`]),
          ...order(grammar.order, segments),
          ...segments.flatMap((segment) => faultsIn(segment, grammar)),
        ]
      })
    }),
  )
}

/** The segments in their order, each as often as it may be there. What is in no place is named, and the rest looked at without it. */
function order(places: readonly Place[], segments: readonly Segment[]): string[] {
  const faults: string[] = []
  let at = 0
  const take = (places: readonly Place[]): void => {
    for (const { tag, least, most, loop } of places) {
      let count = 0
      while (segments[at]?.tag === tag) {
        at += 1
        count += 1
        if (loop) take(loop)
      }
      if (count < least)
        faults.push(`${tag}: it is missing${segments[at] ? ` before ${named(segments[at] as Segment)}` : ''}`)
      if (count > most) faults.push(`${tag}: there are ${count}, and at most ${most} may be`)
    }
  }
  take(places)
  if (at < segments.length) faults.push(`${named(segments[at] as Segment)}: it may not stand here`)
  return faults
}

function named({ tag, place }: Segment): string {
  return `${tag} (segment ${place})`
}

function faultsIn(segment: Segment, { segments }: Grammar): string[] {
  const known = segments[segment.tag]
  if (!known) return [`${named(segment)}: the transaction has no such segment`]
  const { elements, notes = '' } = known
  const faults: string[] = segment.elements.flatMap((value, index) => {
    const why = elements[index] === undefined ? 'there is no such element' : wrongIn(value, elements[index])
    return why ? [`${named(segment)}, ${segment.tag}${two(index + 1)}: ${why}`] : []
  })
  const absent = elements.flatMap((form, index) =>
    isRequired(form) && !segment.elements[index]
      ? [`${named(segment)}, ${segment.tag}${two(index + 1)}: it is missing`]
      : [],
  )
  const broken = notes
    .split(' ')
    .filter((note) => note !== '' && !holds(note, segment))
    .map((note) => `${named(segment)}: its elements break ${note}`)
  const ending = segment.elements.at(-1) === '' ? [`${named(segment)}: empty elements stand at its end`] : []
  return [...faults, ...absent, ...broken, ...ending]
}

const two = (number: number) => String(number).padStart(2, '0')
const isRequired = (form: string) => form.includes('!')

/**
 * The relations of elements: P all or none, R one at least, E one at most, C with the first all of the others, L with the first one of the others at least.
 */
function holds(note: string, { elements }: Segment): boolean {
  const [first = false, ...others] = (note.slice(1).match(/\d\d/g) ?? []).map(
    (number) => !!elements[Number(number) - 1],
  )
  const count = others.filter(Boolean).length + Number(first)
  switch (note[0]) {
    case 'P':
      return count === 0 || count === others.length + 1
    case 'R':
      return count > 0
    case 'E':
      return count < 2
    case 'C':
      return !first || others.every(Boolean)
    default:
      return !first || others.some(Boolean)
  }
}

const types: Record<string, RegExp> = {
  AN: /^[\x20-\x7e]+$/,
  ID: /^[\x20-\x7e]+$/,
  N: /^-?\d+$/,
  R: /^-?(?:\d+\.?\d*|\.\d+)$/,
  DT: /^\d+$/,
  TM: /^\d+$/,
}

/** What is wrong with the value of an element whose form is such as `ID! 2-4`, or `ID 1 = K L` where only these codes are in use. */
function wrongIn(value: string, form: string): string | null {
  if (value === '') return null
  if (form === '-') return 'it is not in use'
  const [, type = '', least = '', most = least, codes] =
    /^(AN|ID|N|R|DT|TM)!? (\d+)(?:-(\d+))?(?: = (.+))?$/.exec(form) ?? []
  if (!types[type]) throw new Error(`a form of an element is not ${form}`)
  if (!types[type].test(value)) return `"${value}" is no ${type}`
  const length = type === 'N' || type === 'R' ? value.replace(/[-.]/g, '').length : value.length
  if (length < Number(least) || length > Number(most))
    return `"${value}" has ${length} characters, not ${least} to ${most}`
  if (value.startsWith(' ') || (value.endsWith(' ') && length > Number(least))) return `"${value}" has blanks at an end`
  if (type === 'DT' && !isDay(value)) return `"${value}" is no day`
  if (type === 'TM' && !/^(?:[01]\d|2[0-3])[0-5]\d/.test(value)) return `"${value}" is no time`
  return codes && !codes.split(' ').includes(value.trim()) ? `"${value}" is none of ${codes}` : null
}

function isDay(value: string): boolean {
  const day = `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6, 8)}`
  return new Date(`${day}T00:00:00Z`).getTime() > 0 && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
