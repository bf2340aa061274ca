import type { TSchema } from 'typebox'
import type { Scope } from '../../../../platform/access/scopes.ts'
import type { Context } from '../../../../platform/context.ts'
import type { Detail, Refusal } from '../../../../platform/core/refusal.ts'
import type { Statement } from '../../../../platform/db/sql/sql.ts'
import type { EditOf, Fields, RecordOf } from '../fields/fields.ts'
import type { NewLine, NewLineOf } from '../fields/line-fields.ts'
import type { LineType, Shape } from '../fields/shape.ts'
import type { Document, Edit } from '../fields/standard-fields.ts'
import type { PaymentMeans, RequestedPayment } from './paying.ts'
import { makeSchemas, type Schemas, type Wording } from './schemas.ts'

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
  /** Whether one that is saved with neither a due date nor a pay term gets the default term of the organization. */
  takesDefaultTerm?: boolean
  access?: Access
  madeFrom?: Origin
  /** Refuses what the fields alone would allow. */
  check?: (document: RecordOf<F>) => void
  /** What bodies that write a document may say besides its fields. */
  options?: Readonly<Record<string, TSchema>>
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
export type CustomFilter = {
  schema: TSchema
  /** Whether `me` in it means the caller: then the condition is given their id. */
  isAboutCaller?: boolean
  condition(org: string, value: unknown): Statement
}

/** A kind of document: its description, and what is made of it once. D, E and L are the types of a document, an update and a new line. */
export type Kind<D extends Document = Document, E extends Edit = Edit, L extends NewLine = NewLine> = Shape & {
  readonly scope: Scope | readonly Scope[]
  readonly takesDefaultTerm: boolean
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
  readonly paying: PaymentHooks<D> | null
  /** Who says whether documents of this kind may be paid; null where nobody has to. */
  readonly approving: ApprovalHooks<D> | null
  /** What finds out whether a document was entered before; null where nobody asks. */
  readonly duplicates: Duplicates<D> | null
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
export type PaymentHooks<D extends Document = Document> = {
  /**
   * Looks at what changes in what was paid of these documents, which the caller has locked, and refuses what cannot be. What it gives back writes the
   * payments around the write of the documents, each part with all its statements sent at once.
   */
  prepare(ctx: Context, kind: Kind<D>, changes: readonly PaidChange<D>[], how: PaymentDetails): Promise<PaymentWrites>
  /** Whether one of the payments of a paid document, which the caller has locked, is the one that is asked for. */
  isRecorded(ctx: Context, document: D, asked: RequestedPayment): Promise<boolean>
  /** What rates made of the payments of a document, which the caller has locked and given another rate. */
  settleGains(ctx: Context, document: D): Promise<void>
  /** What settles a document, which the caller has locked, in sentences. */
  listStanding(ctx: Context, kind: Kind<D>, document: D): Promise<Detail[]>
}

/** A document that is to be paid. `isKept`: it is there already, and its content stays as it is. */
export type Payable<D extends Document = Document> = { document: D; lines: readonly object[]; isKept: boolean }

/** A document whose approval is not what it was. */
export type ApprovalChange = { id: string; isRequested: boolean; previous: Record<string, unknown> }

/** What has to be approved before it is paid, by rules that another part of the program keeps. */
export type ApprovalHooks<D extends Document = Document> = {
  /** The constraint that keeps what is not approved from being paid, and the refusal where a write would break it. */
  readonly constraint: string
  refused(): Refusal
  /** Whether the approval of a document has to be looked at even where the organization has none approved. */
  concerns(document: D): boolean
  /** Sets the approval of these documents, which the caller has just written, by what they have become. Its statement is sent at once. */
  judge(ctx: Context, ids: readonly string[]): Promise<ApprovalChange[]>
  /** For each of these, which the caller has locked, why it may not be paid by the caller; null where it may. */
  refusalsOf(ctx: Context, payables: readonly Payable<D>[]): Promise<(Refusal | null)[]>
  /** For each of these as it is going to be, why it may not be paid while a document is missing; null where none is. */
  refusalsOfMissing(ctx: Context, payables: readonly Payable<D>[]): Promise<(Refusal | null)[]>
}

/** Voided payments let go of their documents before these change; new ones settle documents as they have become. */
export type PaymentWrites = { before(): Promise<unknown>; after(): Promise<unknown> }

/** How it was paid. Without a statement each document gets a payment of its own, with one they share one. */
export type PaymentDetails = PaymentMeans & {
  paid_at?: string | null | undefined
  reason?: string | undefined
  statement?: { id: string; paid_at: string }
  reopenedWith?: string
}

/** A document as it will be, and whether its sender says that it may be a duplicate. */
export type DuplicateCandidate<D extends Document = Document> = { next: D; allowed: boolean; isNew: boolean }

/** By the ids of documents: why they are refused, and the documents that are probably the same. `holds`: those without any are to stay the only ones. */
export type FoundDuplicates = {
  refusals: ReadonlyMap<string, Refusal>
  others: ReadonlyMap<string, readonly string[]>
  holds: boolean
}

/** Documents that were entered before. */
export type Duplicates<D extends Document = Document> = {
  /** Whether a change of a document can make it a duplicate, or no duplicate any more. */
  concerns(before: D | null, next: D): boolean
  findAll(ctx: Context, asked: readonly DuplicateCandidate<D>[]): Promise<FoundDuplicates>
  /** Called once they are written: from then on nobody else can enter the same, unless it is allowed. */
  hold(ctx: Context, written: readonly DuplicateCandidate<D>[], found: FoundDuplicates): Promise<void>
}

export function defineDocument<F extends Fields, L extends Fields>(description: Description<F, L>) {
  const {
    filters = {},
    columnOrder = [],
    takesDefaultTerm = false,
    access = null,
    madeFrom = null,
    ...rest
  } = description
  const kind = {
    ...rest,
    filters,
    columnOrder,
    takesDefaultTerm,
    access,
    madeFrom,
    parent: null,
    paying: null,
    approving: null,
    duplicates: null,
    schemas: makeSchemas({ ...(rest as unknown as Shape & { wording: Wording; numberPrefix: string }), filters }),
  }
  return kind as unknown as Kind<RecordOf<F> & Document, EditOf<F> & Edit, NewLineOf<L> & NewLine>
}

export function withParent<D extends Document, E extends Edit, L extends NewLine>(
  kind: Kind<D, E, L>,
  parent: Parent<D> & { key: keyof D },
): Kind<D, E, L> {
  return { ...kind, parent }
}

export function withPayments<D extends Document, E extends Edit, L extends NewLine>(
  kind: Kind<D, E, L>,
  paying: PaymentHooks<D>,
): Kind<D, E, L> {
  return { ...kind, paying }
}

export function withApprovals<D extends Document, E extends Edit, L extends NewLine>(
  kind: Kind<D, E, L>,
  approving: ApprovalHooks<D>,
): Kind<D, E, L> {
  return { ...kind, approving }
}

export function withDuplicates<D extends Document, E extends Edit, L extends NewLine>(
  kind: Kind<D, E, L>,
  duplicates: Duplicates<D>,
): Kind<D, E, L> {
  return { ...kind, duplicates }
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
