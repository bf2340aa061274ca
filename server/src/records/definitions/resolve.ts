import { invalid, quote, type Refusal } from '../../platform/core/refusal.ts'
import { builtInKind, builtInKinds } from '../kinds/built-in.ts'
import { type Definition, defaultStatuses, defaultWidgets, type Field, type Kind } from '../kinds/kind.ts'

/** What a row of `definitions` has beyond the built-in kind; for a kind of the organization's own, everything. */
export type StoredDefinition = Partial<
  Pick<Kind, 'name' | 'plural' | 'description' | 'title' | 'statuses' | 'widgets'>
> & {
  fields?: readonly Field[]
  hidden?: readonly Field[]
}

export type Row = { object_key: string; prefix: string; definition: StoredDefinition; revision: number }

/** The definition that a row and the built-in kind make together. */
export function resolve({
  object_key,
  prefix,
  definition: { fields = [], hidden = [], ...stored },
  revision,
}: Row): Definition {
  const kind: Kind = builtInKind(object_key) ?? {
    objectKey: object_key,
    name: object_key,
    plural: object_key,
    prefix,
    description: '',
    scope: 'services' as const,
    statuses: defaultStatuses,
    widgets: defaultWidgets,
    fields: [],
  }
  // A later version may have built in a field, or one that is only read, which an organization has added already.
  const own = fields.filter((field) => !kind.readOnlyFields?.some(({ key }) => key === field.key))
  return {
    ...kind,
    ...stored,
    prefix,
    builtIn: builtInKind(object_key) !== undefined,
    revision,
    fields: [...kind.fields.filter((field) => !own.some(({ key }) => key === field.key)), ...own],
    added: own.map(({ key }) => key),
    hidden,
  }
}

/** The definition of a built-in kind that the organization has not changed. */
export function unchanged(kind: Kind): Definition {
  return { ...kind, builtIn: true, revision: 1, added: [], hidden: [] }
}

export function unknownKind(objectKey: string): Refusal {
  const allowed = builtInKinds.map((kind) => kind.objectKey)
  return invalid(
    'objectKey',
    'unknown_object_key',
    `There is no kind of object ${quote(objectKey)} in this organization. Built in: ${allowed.join(', ')}; GET …/definitions lists all.`,
    allowed,
  )
}
