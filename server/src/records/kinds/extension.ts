import type { Context } from '../../platform/context.ts'
import type { Detail, Refusal } from '../../platform/core/refusal.ts'
import type { Statement } from '../../platform/db/sql/sql.ts'
import type { Definition } from './kind.ts'

/**
 * What another part of the program adds to a kind of object, given to everything that searches or writes objects: from which of its tables read-only
 * fields are read, and which objects must stay as they are. So the object model does not depend on it.
 */
export type Extension = {
  readonly objectKey: string
  readonly fields: readonly ExternalField[]
  /** Why some of these objects must not be changed or deleted, by their ids. Called with the objects locked. */
  readonly findFixed: (ctx: Context, touched: readonly TouchedObject[]) => Promise<ReadonlyMap<string, Refusal>>
  /** What the fields become that are about to be stored, and what is wrong with them beyond the definition. Must change nothing of its own result. */
  readonly complete?: (
    ctx: Context,
    after: Json,
    before: Json | null,
    definition: Definition,
  ) => Promise<{ json: Json; wrong: readonly Detail[] }>
  /** What is wrong with what these writes bring, by the ids of the objects, where only the database knows it. Not asked of objects that are restored. */
  readonly findWrong?: (ctx: Context, writes: readonly Write[]) => Promise<ReadonlyMap<string, readonly Detail[]>>
  /** Why some of these writes must not happen, by the ids of the objects. Called with the objects locked, before anything is written. */
  readonly findRefused?: (ctx: Context, writes: readonly Write[]) => Promise<ReadonlyMap<string, Refusal>>
  /** Called in the same transaction, when these objects are written. */
  readonly afterWrite?: (ctx: Context, writes: readonly Write[]) => Promise<void>
}

/** The fields of an object by their keys. */
type Json = Readonly<Record<string, unknown>>

type State = { readonly json: Json; readonly status: string }

/** An object before and after a write: nothing before one that is created or restored, nothing after one that is deleted. */
export type Write = { readonly id: string; readonly before: State | null; readonly after: State | null }

/** An object that is about to be changed in these fields, or to be deleted where there are none. */
export type TouchedObject = { readonly id: string; readonly changed?: readonly string[] | undefined }

/** Where a read-only field of a kind is read from. */
export type ExternalField = {
  readonly key: string
  /** The type of `value` in the database. */
  readonly valueType: 'uuid' | 'text' | 'integer'
  /** Rows of `object_id` and `value`, and of `text` where the field is searched by parts of it; of all objects of an organization. */
  readonly all: (org: string) => Statement
  /** Reads the same of one object. */
  readonly of: (org: string, id: Statement) => Statement
  /** Whether rows have a `text`. */
  readonly hasText?: boolean
  /** Reads what a filter compares with, if that is not the value itself. */
  readonly readOperand?: (value: unknown, at: string) => string | number
}
