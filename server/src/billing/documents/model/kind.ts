import type { TSchema } from 'typebox'
import type { Scope } from '../../../auth/scopes.ts'
import type { Context } from '../../../context.ts'
import type { Detail, Refusal } from '../../../core/refusal.ts'
import type { Statement } from '../../../db/sql.ts'
import type { EditOf, Fields, RecordOf } from './fields.ts'
import type { NewLine, NewLineOf } from './line-fields.ts'
import type { PaidWith } from './paying.ts'
import { makeSchemas, type Schemas, type Wording } from './schemas.ts'
import type { LineType, Shape } from './shape.ts'
import type { Document, Edit } from './standard-fields.ts'

/** One plain object for each kind of document: all that the shared code needs to know of it. */
export type Description<F extends Fields, L extends Fields> = {
  noun: string
  plural: string
  /** Of several, the one that a document takes follows from `access`. */
  scope: Scope | readonly Scope[]
  /** What numbers begin with, in lower case: `bill` of BILL-000123. */
  numberPrefix: string
  fields: F
  /** The field with the date from which a pay term counts. */
  date: keyof F & string
  /** The fields that name who is paid or pays. */
  parties?: readonly (keyof F & string)[]
  lines: { noun: string; plural: string; parentKey: string; fields: L; type: LineType | null }
  access?: Access
  madeFrom?: Origin
  /** Refuses what the fields alone would allow. */
  check?: (document: RecordOf<F>) => void
  /** Filters that no field has by itself. */
  filters?: Readonly<Record<string, CustomFilter>>
  /** Names of columns in the order that exported files have always had; other fields follow in their own order. */
  columnOrder?: readonly string[]
  wording: Wording
}

/** The table that says from which object a document was made, and its column that names the document. */
export type Origin = { table: string; column: string }

/** Which scope a document takes, by the value of one of its fields, which is set on creation and filtered by. Callers see what their scopes allow. */
export type Access = { field: string; scopes: Readonly<Record<string, Scope>> }

/** A filter with a condition of its own; the row of the document is called `b` in it. */
export type CustomFilter = { schema: TSchema; condition(org: string, value: unknown): Statement }

/** A kind of document: its description, and what is made of it once. D, E and L are the types of a document, an update and a new line. */
export type Kind<D extends Document = Document, E extends Edit = Edit, L extends NewLine = NewLine> = Shape & {
  readonly scope: Scope | readonly Scope[]
  readonly access: Access | null
  readonly madeFrom: Origin | null
  readonly numberPrefix: string
  readonly filters: Readonly<Record<string, CustomFilter>>
  readonly columnOrder: readonly string[]
  readonly wording: Wording
  readonly schemas: Schemas
  /** The record that documents of this kind can be part of, where there is such a record. */
  readonly parent: Parent<D> | null
  /** What records payments where documents of this kind become paid; null where nobody pays them. */
  readonly paying: Paying<D> | null
  /** Never set: it carries the types. */
  readonly types?: { edit: E; line: L }
}

/**
 * A record that gathers documents, such as a statement. Its row is locked before theirs, by everyone who takes both, so that nobody waits in a
 * circle; it may refuse their moves, and it changes with them.
 */
export type Parent<D extends Document> = {
  readonly table: string
  /** The field of the document that names it. */
  readonly key: string
  /** The foreign key that binds the document to it, and the refusal when an update would break it. */
  readonly constraint: string
  broken(): Refusal
  /** Refuses an edit that would break the constraint, before it is written in one statement with other documents. */
  checkEdit(before: D, next: D): void
  beforeMove(ctx: Context, before: D, next: D): Promise<void>
  afterChange(ctx: Context, change: { before: D; after: D; contentChanged: boolean }): Promise<void>
}

/** A document whose update changes what was paid of it. */
export type PaidChange<D extends Document = Document> = { before: D; next: D }

/** How documents become paid: by payments, which another part of the program keeps. */
export type Paying<D extends Document = Document> = {
  /**
   * Looks at what changes in what was paid of these documents, which the caller has locked, and refuses what cannot be. What it gives back writes the
   * payments around the write of the documents, each part with all its statements sent at once.
   */
  prepare(ctx: Context, kind: Kind<D>, changes: readonly PaidChange<D>[], how: PaidHow): Promise<PaymentWrites>
  /** What settles a document, which the caller has locked, in sentences. */
  listStanding(ctx: Context, kind: Kind<D>, document: D): Promise<Detail[]>
}

/** Voided payments let go of their documents before these change; new ones settle documents as they have become. */
export type PaymentWrites = { before(): Promise<unknown>; after(): Promise<unknown> }

/** How it was paid. Without a statement each document gets a payment of its own, with one they share one. */
export type PaidHow = PaidWith & { paid_at?: string | null | undefined; reason?: string | undefined; statement?: { id: string; paid_at: string } }

export function defineDocument<F extends Fields, L extends Fields>(description: Description<F, L>) {
  const { filters = {}, columnOrder = [], access = null, madeFrom = null, ...rest } = description
  const kind = {
    ...rest,
    filters,
    columnOrder,
    access,
    madeFrom,
    parent: null,
    paying: null,
    schemas: makeSchemas({ ...(rest as unknown as Shape & { wording: Wording }), filters }),
  }
  return kind as unknown as Kind<RecordOf<F> & Document, EditOf<F> & Edit, NewLineOf<L> & NewLine>
}

export function withParent<D extends Document, E extends Edit, L extends NewLine>(kind: Kind<D, E, L>, parent: Parent<D> & { key: keyof D }): Kind<D, E, L> {
  return { ...kind, parent }
}

export function withPayments<D extends Document, E extends Edit, L extends NewLine>(kind: Kind<D, E, L>, paying: Paying<D>): Kind<D, E, L> {
  return { ...kind, paying }
}

/** The id of the record that a document is part of. */
export function parentOf<D extends Document>({ parent }: Kind<D>, document: D): string | null {
  return parent ? (document[parent.key as keyof D] as string | null) : null
}

/** What is made of a kind once, when it is first needed. */
export function onceFor<V>(make: (kind: Kind) => V): (kind: Pick<Kind, never>) => V {
  const made = new WeakMap<object, V>()
  return (kind) => {
    const known = made.get(kind)
    if (known !== undefined) return known
    const value = make(kind as Kind)
    made.set(kind, value)
    return value
  }
}
