import type { FastifyContextConfig } from 'fastify'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { Refusal } from '../core/refusal.ts'

export type ContentOf<Fields extends TProperties> = Static<TObject<Fields>>
export type Defaults<Fields extends TProperties> = {
  [Name in keyof ContentOf<Fields>]?: ContentOf<Fields>[Name] | undefined
}
/** What is sent to make one. */
export type NewOf<Fields extends TProperties, Optional> = Omit<ContentOf<Fields>, keyof Optional> & {
  [Name in keyof Optional & keyof ContentOf<Fields>]?: ContentOf<Fields>[Name] | undefined
}

/** How a parameter of a search becomes a condition: the text is in one of these columns, or a column has the value, one of the ids, or one of the names. */
export type Filter = { schema: TSchema } & (
  | { contains: readonly string[] }
  | { equals: string }
  | { isOneOf: string }
  | { isNamed: string }
)

/** A write as its rules see it: `before` is null of a new record, and `after` of one that is deleted. */
export type Change<Content> = { id: string; before: Content | null; after: Content | null; previous: Partial<Content> }

type Access = Pick<FastifyContextConfig, 'scope' | 'right'>

/** What makes one plain record different from the others. */
export type Description<Fields extends TProperties, Optional extends Defaults<Fields>> = {
  /** `tax_rate`: its events, its name in bodies, and its words. */
  noun: string
  /** `tax_rates`: its path and its table, whose view `tax_rates_wire` makes its JSON. */
  plural: string
  /** What the API reference lists it under, where that is not its plural. */
  tag?: string
  access: Access
  accessToWrite?: Access
  /** The whole record, as it is answered. */
  schema: TObject
  /** What people set of it. */
  fields: Fields
  /** What may be left out of a new one, and what it is then. */
  optional: Optional
  /** Where a body has another schema than the record. */
  fieldsOfNew?: TProperties
  fieldsOfEdit?: TProperties
  examples?: { create?: object; update?: object }
  filters: Readonly<Record<string, Filter>>
  /** It can be named by its external id too, such as this one. */
  externalId?: string
  /** The fields that the table keeps as JSON, and those that `alsoSave` keeps elsewhere. */
  json?: readonly (keyof ContentOf<Fields> & string)[]
  elsewhere?: readonly (keyof ContentOf<Fields> & string)[]
  /** The table keeps who made it. */
  isSigned?: boolean
  /** What the operations say of themselves in the API reference. */
  texts: Readonly<Record<'search' | 'create' | 'get' | 'update' | 'delete', string>>
  summaryOfSearch?: string
  /** The content as it is kept, or a refusal; `input` is what was sent. */
  check?(
    content: ContentOf<Fields>,
    input: Partial<ContentOf<Fields>>,
    current: (ContentOf<Fields> & { id: string; org_id: string }) | null,
  ): ContentOf<Fields>
  /** By the names of the constraints that a write or a delete can break. */
  refusals?: Readonly<Record<string, (content: ContentOf<Fields>) => Refusal>>
  /** Refuses what only the database can tell. */
  require?(ctx: Context, change: Change<ContentOf<Fields>>): Promise<void>
  alsoSave?(ctx: Context, id: string, content: ContentOf<Fields>): Promise<void>
  /** What follows from every write, in its transaction. */
  afterwards?(ctx: Context): Promise<void>
}
