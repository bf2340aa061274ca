import { type Detail, invalid, invalidAll, quote } from '../../platform/core/refusal.ts'
import { builtInKind, builtInKinds } from '../kinds/built-in.ts'
import type { Definition, Field, FieldType, Item } from '../kinds/kind.ts'
import { serverOwned } from '../model/object.ts'
import { otherFields } from '../model/other-fields.ts'
import type { DefinitionEdit, FieldInput, NewDefinition } from './input.ts'

/** Names that have another meaning in events. */
const reservedKinds = [
  'object',
  'bill',
  'billItem',
  'billItemType',
  'consolidatedBill',
  'payTerm',
  'currency',
  'user',
  'organization',
  'oauthApplication',
  'definition',
  'webhook',
  'webhookEndpoint',
  'event',
  'board',
  'invoice',
  'credit',
  'payment',
  'document',
  'documentRule',
]
const reservedFields = [
  ...serverOwned,
  'status',
  'externalId',
  'boardId',
  'etaDelayNotifyEnabled',
  'etaDelayNotifyLabel',
  otherFields,
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
]

export function refuseBadKind({ objectKey, prefix }: Pick<NewDefinition, 'objectKey' | 'prefix'>): void {
  const details: Detail[] = []
  if (!/^[a-z][A-Za-z0-9]{1,39}$/.test(objectKey) || reservedKinds.includes(objectKey))
    details.push({
      field: 'objectKey',
      code: 'bad_key',
      message: `"objectKey" must be 2 to 40 letters and digits, the first a lower-case letter, and no word of ours, not ${quote(objectKey)}.`,
    })
  if (
    !/^[A-Z][A-Z0-9]{0,9}$/.test(prefix) ||
    builtInKinds.some((kind) => kind.prefix === prefix && kind.objectKey !== objectKey)
  )
    details.push({
      field: 'prefix',
      code: 'bad_prefix',
      message: `"prefix" must be 1 to 10 upper-case letters and digits, the first a letter, and not that of a built-in kind, not ${quote(prefix)}.`,
    })
  if (details.length > 0) throw invalidAll(details)
}

/**
 * The fields as they are stored, or everything that is wrong with them. Unchanged fields of the built-in kind may be among them, and those that the
 * organization has `kept` from before the kind had one of the same key.
 */
export function readFields(objectKey: string, sent: readonly FieldInput[], kept: readonly string[] = []): Field[] {
  const own = builtInKind(objectKey)?.fields ?? []
  const added = sent.filter(
    (field) => !own.some((known) => JSON.stringify(tidy(known as FieldInput)) === JSON.stringify(tidy(field))),
  )
  const readOnlyFields = builtInKind(objectKey)?.readOnlyFields ?? []
  const wrong = added.flatMap((field) =>
    fieldFaults(field, `fields.${sent.indexOf(field)}`, { nested: false, readOnlyFields }),
  )
  added.forEach((field, index) => {
    const twice =
      own.some(({ key }) => key === field.key && !kept.includes(key)) ||
      added.findIndex(({ key }) => key === field.key) !== index
    if (twice)
      wrong.push({
        field: `fields.${sent.indexOf(field)}.key`,
        code: 'taken',
        message: `There is a field ${quote(field.key)} already.`,
      })
  })
  if (wrong.length > 0) throw invalidAll(wrong)
  return added.map(tidy)
}

export function refuseBadStates(statuses: readonly string[] | undefined): void {
  const twice = statuses?.findIndex((status, index) => statuses.indexOf(status) < index) ?? -1
  if (twice >= 0)
    throw invalid(
      `statuses.${twice}`,
      'taken',
      `"statuses.${twice}" is ${quote(statuses?.[twice])}, which is there already.`,
    )
}

/** The kinds that fields point to. */
export function targetsOf(fields: readonly Field[]): string[] {
  return [
    ...new Set(
      fields.flatMap(({ objectKey, items }) => [
        objectKey,
        ...(items ? ('type' in items ? [items.objectKey] : targetsOf(items.fields)) : []),
      ]),
    ),
  ].filter((key) => key !== undefined)
}

/** The definition after an edit, and the fields whose change affects existing objects. */
export function edit(
  before: Definition,
  { fields, widgets, ...given }: DefinitionEdit,
): { after: Definition; reshaped: Field[]; required: Field[]; removed: Field[] } {
  const mine = before.fields.filter(({ key }) => before.added.includes(key))
  const next = fields ? readFields(before.objectKey, fields, before.added) : mine
  const builtIn = before.fields.filter(({ key }) => !before.added.includes(key))
  const removed = mine.filter(({ key }) => !next.some((field) => field.key === key))
  const was = new Map(mine.map((field) => [field.key, field]))
  const shape = ({ type, options, objectKey, items, format, unique = false }: Field) =>
    JSON.stringify([type, options, objectKey, items, format, unique])
  const widgetsNow = widgets === null ? undefined : widgets
  const after: Definition = {
    ...before,
    ...given,
    ...(widgetsNow && { widgets: widgetsNow }),
    fields: [...builtIn, ...next],
    added: next.map(({ key }) => key),
    hidden: [...before.hidden.filter(({ key }) => !next.some((field) => field.key === key)), ...removed],
  }
  return {
    after,
    reshaped: next.filter((field) => !was.has(field.key) || shape(was.get(field.key) as Field) !== shape(field)),
    required: next.filter((field) => field.required && !was.get(field.key)?.required),
    removed,
  }
}

function fieldFaults(
  field: FieldInput,
  at: string,
  { nested, readOnlyFields = [] }: { nested: boolean; readOnlyFields?: readonly Field[] },
): Detail[] {
  const wrong: Detail[] = []
  const fault = (part: string, code: string, message: string) =>
    wrong.push({ field: `${at}.${part}`, code, message: `"${at}.${part}" ${message}` })
  if (!/^[a-zA-Z][A-Za-z0-9_]{0,63}$/.test(field.key))
    fault('key', 'bad_key', `must be letters, digits and _, the first a letter, not ${quote(field.key)}.`)
  const reserved = reservedFields.includes(field.key) || readOnlyFields.some(({ key }) => key === field.key)
  if (!nested && reserved)
    fault('key', 'reserved', `cannot be ${quote(field.key)}: that name has a meaning of its own.`)
  if (!nested && field.key === 'name' && field.type !== 'text')
    fault('type', 'unknown_value', 'of "name" must be text.')
  if (nested && (field.type === 'list' || field.type === 'multi-select'))
    fault('type', 'unknown_value', 'cannot be a list within a list.')
  if (field.unique && isNeverUnique(field.type))
    fault('unique', 'not_possible', `is not possible for the type ${field.type}.`)
  if (field.format && (field.type !== 'text' || (field.format === 'id' && !nested)))
    fault('format', 'unknown_value', `cannot be ${quote(field.format)} here.`)
  wrong.push(...shapeFaults(field, at))
  if ((field.type === 'list') !== (field.items !== undefined))
    fault('items', 'required', 'belongs to a list, and says what its entries are.')
  const { items } = field
  if (field.type !== 'list' || !items) return wrong
  if ((items.type === undefined) === (items.fields === undefined))
    fault('items', 'required', 'needs either a "type" or "fields".')
  if (items.type === 'list' || items.type === 'multi-select')
    fault('items.type', 'unknown_value', 'cannot be a list within a list.')
  if (items.type) wrong.push(...shapeFaults(items as FieldInput, `${at}.items`))
  const inner = items.fields ?? []
  inner.forEach(({ key }, index) => {
    if (inner.findIndex((other) => other.key === key) < index)
      fault(`items.fields.${index}.key`, 'taken', `is ${quote(key)}, which another field of the record has.`)
  })
  return [
    ...wrong,
    ...inner.flatMap((field, index) => fieldFaults(field, `${at}.items.fields.${index}`, { nested: true })),
  ]
}

function shapeFaults(
  { type, options, objectKey }: Pick<FieldInput, 'type' | 'options' | 'objectKey'>,
  at: string,
): Detail[] {
  const choice = type === 'select' || type === 'multi-select'
  return [
    ...(choice !== (options !== undefined)
      ? [
          {
            field: `${at}.options`,
            code: 'required',
            message: `"${at}.options" belongs to a select or multi-select, and says what can be chosen.`,
          },
        ]
      : []),
    ...(options && new Set(options).size < options.length
      ? [{ field: `${at}.options`, code: 'taken', message: `"${at}.options" has the same value twice.` }]
      : []),
    ...((type === 'reference') !== (objectKey !== undefined)
      ? [
          {
            field: `${at}.objectKey`,
            code: 'required',
            message: `"${at}.objectKey" belongs to a reference, and says which kind it points to.`,
          },
        ]
      : []),
  ]
}

/** Types whose values cannot be unique. */
function isNeverUnique(type: FieldType): boolean {
  return ['list', 'multi-select', 'address', 'boolean'].includes(type)
}

/** Always the same keys in the same order, so that equal fields look equal. */
function tidy({
  key,
  name,
  type,
  description,
  required,
  unique,
  options,
  objectKey,
  items,
  format,
  example,
}: FieldInput | Field): Field {
  return {
    key,
    name,
    type,
    ...(description && { description }),
    ...(required && { required }),
    ...(unique && { unique }),
    ...(options && { options }),
    ...(objectKey && { objectKey }),
    ...(items && { items: tidyItems(items) }),
    ...(format && { format }),
    ...(example !== undefined && { example }),
  } as Field
}

function tidyItems(items: NonNullable<FieldInput['items']> | Item): Item {
  if ('fields' in items && items.fields) return { fields: items.fields.map(tidy) }
  const { type, options, objectKey } = items as Extract<Item, { type: unknown }>
  return { type, ...(options && { options }), ...(objectKey && { objectKey }) }
}
