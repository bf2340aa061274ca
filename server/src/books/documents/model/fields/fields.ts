import Type, { type Static, type TSchema } from 'typebox'
import { Id, ignoredInBodies, Moment, nullable, Time } from '../../../../platform/core/schema/schema.ts'
import type { ColumnType } from '../../../../platform/core/tables/csv-table.ts'
import { Address, mergeAddress } from './address.ts'
import type { Status } from './lifecycle.ts'
import { normalDate, normalId } from './normal.ts'

/** Who gives a field its value: any body; a move; a body where the document has no lines; the body that creates it; or the server alone. */
export type SetBy = 'client' | 'move' | 'sum' | 'creation' | 'server'

export type SqlType = 'uuid' | 'text' | 'int' | 'bigint' | 'numeric' | 'boolean' | 'timestamptz' | 'jsonb'

/** Its column in a CSV file. An address has a column for each of its parts; what is `written` only, an import ignores. */
export type CsvColumn = ColumnType | 'address' | 'written' | 'none'

/**
 * How searches filter by a field, and the names of the parameters. `isSet` is a parameter that asks whether there is a value at all; `column` where an
 * index is on another column than the field's own.
 */
export type Filter =
  | { by: 'any'; name: string; description: string; values?: readonly string[] }
  | {
      by: 'times'
      start: string
      end: string
      descriptions: [start: string, end: string]
      isSet?: { name: string; description: string }
    }
  | { by: 'text'; name: string; description: string; example: string; column: string }
  | { by: 'amounts'; least: string; most: string; descriptions: [least: string, most: string] }

/** All that the server knows of one field: schemas, SQL, CSV, the blank document and the rules of an update come from here. */
export type Field<W extends TSchema = TSchema, S extends TSchema = TSchema, By extends SetBy = SetBy> = {
  /** Its schema in answers. */
  readonly schema: W
  /** Its schema in bodies. */
  readonly sent: S
  readonly setBy: By
  /** Its schema in a body that creates a document, where it is set by that alone. */
  readonly created?: TSchema
  /** The type of its column; null where the table has none. */
  readonly column: SqlType | null
  readonly csv: CsvColumn
  /** Its value in a new document. */
  readonly blank: unknown
  /** Whether a change of it after sending makes the document `edited`. */
  readonly isContent: boolean
  readonly isSortable: boolean
  readonly filter: Filter | null
  /** Whether `search_term` looks at it: as a text, for the names in an address, or for the name of the party whose id it is. */
  readonly searched: 'text' | 'names' | Party | null
  /** What was sent, as it is kept. */
  normal(sent: unknown, current: unknown, name: string): unknown
}

/** Whom a document can be about: the kinds of objects whose names are searched. */
export const parties = ['partner', 'customer'] as const
export type Party = (typeof parties)[number]

export type Fields = Readonly<Record<string, Field>>

/** A record with these fields, as answers carry it. */
export type RecordOf<F> = { -readonly [K in keyof F]: F[K] extends Field ? Static<F[K]['schema']> : never }

/** What clients can set of it. */
export type ContentOf<F> = {
  [K in keyof F as F[K] extends Field<TSchema, TSchema, 'client'> ? K : never]: F[K] extends Field
    ? Static<F[K]['sent']>
    : never
}

/** What an update may send. Sums are of any type here: they are looked at only where they apply. */
export type EditOf<F> = Partial<ContentOf<F>> & {
  status_id?: Status
  reason?: string
  sent_at?: string | null
  paid_at?: string | null
  sub_total_amount?: unknown
  tax_amount?: unknown
}

type Options = Partial<Pick<Field, 'isContent' | 'isSortable' | 'filter' | 'searched'>>

/** A text that clients set. */
export function text(
  description: string,
  example: string,
  { maxLength = 1000, ...options }: Options & { maxLength?: number } = {},
) {
  return clientField(
    nullable(Type.String({ maxLength, description, examples: [example] })),
    'text',
    'text',
    (sent) => sent,
    options,
  )
}

/** The id of another record. */
export function id(description: string, options: Options = {}) {
  return clientField(nullable(Id(description)), 'uuid', 'text', (sent) => normalId(sent as string | null), options)
}

/** A date or time; `edge` is where a bare date lies in its day. */
export function date(description: string, { edge = 'start', ...options }: Options & { edge?: 'start' | 'end' } = {}) {
  const field = clientField(
    nullable(Time(description)),
    'timestamptz',
    'text',
    (sent, _, name) => normalDate(sent as string | null, name, edge),
    options,
  )
  return { ...field, sent: nullable(Moment(description, '2026-11-15T09:30:00.000Z')) }
}

/** An address: parts that are sent apply, parts that are not sent stay. */
export function address(options: Options = {}) {
  return clientField(
    nullable(Address),
    'jsonb',
    'address',
    (sent, current) => mergeAddress(current as Address | null, sent as Address | null),
    options,
  )
}

export function clientField<W extends TSchema>(
  schema: W,
  column: SqlType,
  csv: CsvColumn,
  normal: Field['normal'],
  options: Options,
): Field<W, W, 'client'> {
  return { ...plain, ...options, schema, sent: schema, setBy: 'client', column, csv, normal }
}

/** A field that only the server sets. A body may carry it, so that a record can be sent back as it was read. */
export function serverField<W extends TSchema>(
  schema: W,
  column: SqlType | null,
  options: Options & { csv?: CsvColumn } = {},
): Field<W, typeof ignoredInBodies, 'server'> {
  return { ...plain, csv: 'written', ...options, schema, sent: ignoredInBodies, setBy: 'server', column }
}

const plain = {
  blank: null,
  isContent: true,
  isSortable: false,
  filter: null,
  searched: null,
  normal: (sent: unknown) => sent,
}

/** The names of the fields that are set in one of these ways. Asked for with every update, so they are looked for once. */
export function namesOf(fields: Fields, ...by: readonly SetBy[]): readonly string[] {
  const known = namesByFields.get(fields) ?? new Map<string, readonly string[]>()
  namesByFields.set(fields, known)
  const key = by.join()
  const names = known.get(key) ?? Object.keys(fields).filter((name) => by.includes((fields[name] as Field).setBy))
  known.set(key, names)
  return names
}

const namesByFields = new WeakMap<Fields, Map<string, readonly string[]>>()

/** The content that the input sends, as it is kept. */
export function contentIn(fields: Fields, current: object, input: object): Record<string, unknown> {
  const [sent, was] = [input, current] as [Record<string, unknown>, Record<string, unknown>]
  const content: Record<string, unknown> = {}
  for (const name of namesOf(fields, 'client'))
    if (sent[name] !== undefined) content[name] = (fields[name] as Field).normal(sent[name], was[name], name)
  return content
}

export function isNullable({ schema }: Field): boolean {
  return [(schema as { type?: string | string[] }).type].flat().includes('null')
}

/** Unknown names are content too: the lines of a document are none of its fields. */
export function isContent(fields: Fields): (name: string) => boolean {
  return (name) => fields[name]?.isContent ?? true
}
