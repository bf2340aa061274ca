/** What a client says of an object: fields by their keys. */
export type Fields = Readonly<Record<string, unknown>>

export type Scalar = string | number | boolean

/** The part of an object that is its client's. `name` is null where the client gave none: then its name is its `fullId`. */
export type Content = {
  readonly json: Fields
  readonly name: string | null
  readonly status: string
  readonly externalId: string | null
}

/** An object whose row is locked until the transaction ends. */
export type LockedObject = {
  id: string
  object_key: string
  full_id: string
  version: number
  deleted_at: Date | null
  content: Content
}

/** The columns of `objects` that an object's content is made of. */
export type ContentRow = { json: Fields; name: string; full_id: string; status: string; external_id: string | null }

/** Where the client gave no name, the column has the `fullId`. */
export function contentOf({ json, name, full_id, status, external_id }: ContentRow): Content {
  return { json, name: name === full_id ? null : name, status, externalId: external_id }
}

/** How a caller names an object: by our id, or by its kind and the id it has elsewhere. */
export type ObjectReference =
  | { by: 'id'; id: string }
  | { by: 'externalId'; objectKey: string; externalId: string }
  /** Of whatever kind has it, where none is said. */
  | { by: 'fullId'; objectKey?: string; fullId: string; number: number }

/** What a refusal calls the object that was asked for. */
export function textOfReference(reference: ObjectReference): string {
  if (reference.by === 'fullId') return reference.fullId
  return reference.by === 'id' ? reference.id : reference.externalId
}

/** How a refusal names a field: a path such as `pickup.city` in the caller's own terms. */
export type Naming = (path: string) => string

/** Set by the server alone; sent by a client they are ignored, and named in `errors` of the answer. */
export const serverOwned = [
  'id',
  'objectKey',
  'orgId',
  'source',
  'widgets',
  'widgetToOpen',
  'fullId',
  'mapMarkers',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'version',
  'deletedAt',
  'errors',
] as const
