import { isDeepStrictEqual } from 'node:util'
import { conflict, invalid, type Refusal } from '../../../../platform/core/refusal.ts'
import type { Line, LineEdit, NewLine, PricedLine } from '../fields/line-fields.ts'
import { capitalize, type Shape, withArticle } from '../fields/shape.ts'
import { editLine, priceLine } from './line-model.ts'

/** As many as one document can have. */
export const mostLines = 1000

/** A line as a body sends it: what clients set of it, and, in a line that was read before, what the server set. */
export type SentLine = LineEdit & { id?: string | null; [field: string]: unknown }

/** The lines as they were and will be, and what has to be written for that. */
export type LineChanges = {
  before: readonly Line[]
  after: readonly PricedLine[]
  saved: readonly SavedLine[]
  added: readonly PricedLine[]
}
export type SavedLine = PricedLine & { id: string }

/** What an update makes of the lines: one with an id changes, one without is added, those that are not sent stay. Null where nothing changes. */
export function changeLines(
  shape: Shape,
  before: readonly Line[],
  sent: readonly SentLine[],
): { changes: LineChanges | null; ignored: string[] } {
  const { fields } = shape.lines
  const nameOf = (index: number) => `${shape.lines.plural}[${index}]`
  const changed = new Map<string, SavedLine>()
  const added: PricedLine[] = []
  const ignored = new Map<number, string[]>()
  linesMeant(shape, before, sent).forEach((line, index) => {
    const input = sent[index] as SentLine
    if (line) {
      const edited = editLine(fields, line, input)
      if (edited.changed) changed.set(line.id, { ...edited.next, id: line.id })
      ignored.set(index, ignoredOf(shape, input, line, edited.next))
    } else {
      if (input.unit_price === undefined)
        throw invalid(
          `${nameOf(index)}.unit_price`,
          'required',
          `"${nameOf(index)}.unit_price" is required in a new line.`,
        )
      const next = priceLine(fields, input as NewLine)
      added.push(next)
      ignored.set(index, ignoredOf(shape, input, { position: before.length + added.length }, next))
    }
  })
  if (before.length + added.length > mostLines) throw tooManyLines(shape)
  const after = [...before.map((line) => changed.get(line.id) ?? line), ...added]
  const changes = changed.size + added.length > 0 ? { before, after, saved: [...changed.values()], added } : null
  return { changes, ignored: [...namesOf(shape, ignored), ...outOfOrder(shape, before, sent)] }
}

/** What of the lines of a new document was not the client's to set. */
export function ignoredInNew(
  shape: Shape,
  name: string,
  sent: readonly SentLine[],
  lines: readonly PricedLine[],
): string[] {
  const ignored = new Map(
    sent.map((line, index) => [index, ignoredOf(shape, line, { position: index + 1 }, lines[index] as PricedLine)]),
  )
  return namesOf(shape, ignored, name)
}

/** What of a line was sent and cannot apply: what only the server sets, where it is neither what was there before nor what it has become. */
export function ignoredOf(shape: Shape, sent: SentLine, before: object, after: object): string[] {
  const [was, is] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
  return serverNames(shape).filter((name) => {
    const value = sent[name]
    return (
      value !== undefined &&
      value !== null &&
      !isDeepStrictEqual(value, was[name]) &&
      !isDeepStrictEqual(value, is[name])
    )
  })
}

export function tooManyLines({ noun }: Shape): Refusal {
  return conflict('too_many_lines', `${capitalize(withArticle(noun))} has at most ${mostLines} lines.`)
}

/** What only the server sets of a line. */
export function serverNames({ lines: { parentKey, type } }: Shape): string[] {
  return [
    'id',
    'created_at',
    'updated_at',
    parentKey,
    'total_amount',
    'tax_amount',
    'position',
    ...(type ? [type.name] : []),
  ]
}

/** The lines that are there for those that are sent, each once; undefined for a new one. */
function linesMeant(
  { noun, lines: { plural } }: Shape,
  before: readonly Line[],
  sent: readonly SentLine[],
): (Line | undefined)[] {
  const byId = new Map(before.map((line) => [line.id, line]))
  const places = new Map<string, number>()
  return sent.map(({ id }, index) => {
    if (id === undefined || id === null) return undefined
    const field = `${plural}[${index}].id`
    const line = byId.get(id.toLowerCase())
    if (!line)
      throw invalid(
        field,
        'unknown_line',
        `"${field}": the ${noun} has no line of the id "${id}". Leave out the id to add a line.`,
      )
    const first = places.get(line.id)
    if (first !== undefined)
      throw invalid(field, 'repeated', `"${field}" is the id of ${plural}[${first}] too. Send each line once.`)
    places.set(line.id, index)
    return line
  })
}

/** More lines than this with the same name are named together, so that a header stays short. */
const mostNamed = 5

function namesOf(
  { lines: { plural } }: Shape,
  ignored: ReadonlyMap<number, readonly string[]>,
  list = plural,
): string[] {
  const places = new Map<string, number[]>()
  for (const [index, names] of ignored) for (const name of names) places.set(name, [...(places.get(name) ?? []), index])
  return [...places].flatMap(([name, indexes]) =>
    indexes.length > mostNamed ? [`${list}[*].${name}`] : indexes.map((index) => `${list}[${index}].${name}`),
  )
}

/** Lines keep their order here: it is changed by naming them all in their new one. */
function outOfOrder({ lines: { plural } }: Shape, before: readonly Line[], sent: readonly SentLine[]): string[] {
  const places = new Map(before.map(({ id }, index) => [id, index]))
  const order = sent.flatMap(({ id }) => (typeof id === 'string' ? [places.get(id.toLowerCase()) as number] : []))
  return order.every((place, index) => index === 0 || place > (order[index - 1] as number))
    ? []
    : [`${plural}[*].position`]
}
