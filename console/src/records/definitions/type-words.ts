import type { Field, FieldType, Shape } from '../kinds/kind.ts'

export const typeNames: Record<FieldType, string> = {
  text: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  date: 'Date',
  'date-time': 'Date and time',
  money: 'Money',
  email: 'E-mail address',
  select: 'One of several options',
  'multi-select': 'Several options',
  address: 'Address',
  reference: 'Reference to another object',
  list: 'List',
}

export const types = Object.keys(typeNames) as FieldType[]

export function typeWords({ type, options, objectKey, items, format }: Pick<Field, keyof Shape>): string {
  if (format === 'currency') return 'Currency'
  if (options) return `${typeNames[type]}: ${options.join(', ')}`
  if (objectKey) return `Reference: ${objectKey}`
  if (!items) return typeNames[type]
  return 'fields' in items
    ? `List of records: ${items.fields.map(({ name }) => name).join(', ')}`
    : `List: ${typeWords(items)}`
}
