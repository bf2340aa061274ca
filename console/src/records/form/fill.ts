import { type Field, type Fields, type Kind, type PlatformObject, targetOf } from '../kinds/kind.ts'

/** What a new object is for, as in the address of its form: a field that refers to another object, and the id of that object. */
export type PresetReference = { field: Field; id: string }

export function filledForIn(kind: Kind, text: string | undefined): PresetReference | null {
  const [key = '', id = ''] = text?.split(':') ?? []
  const field = kind.fields.find((one) => one.key === key && targetOf(one))
  return field && /^[0-9a-f-]{36}$/i.test(id) ? { field, id } : null
}

/** Fields of the new object by the fields of the one it is for; those that a kind does not have, or that are not set, are left out. */
const copied: Record<string, Record<string, string>> = {
  'leg of order': { origin: 'pickup', departAt: 'pickupAt', destination: 'delivery', arriveAt: 'deliverBy' },
  'leg of manifest': { origin: 'start', departAt: 'startAt', destination: 'end', arriveAt: 'endAt' },
  'manifest of order': { start: 'pickup', startAt: 'pickupAt', end: 'delivery', endAt: 'deliverBy' },
  'order of quote': Object.fromEntries(
    [
      'customerId',
      'referenceNumber',
      'pickup',
      'pickupAt',
      'pickupBy',
      'delivery',
      'deliverAt',
      'deliverBy',
      'commodity',
      'pieces',
      'weight',
      'weightUnit',
    ]
      .concat(['volume', 'equipmentType', 'temperature', 'hazardous', 'currency', 'rate'])
      .map((key) => [key, key]),
  ),
  'order of customer': { currency: 'currency' },
  'quote of customer': { currency: 'currency' },
  'manifest of partner': { currency: 'currency', payTerm: 'payTerm' },
}

/** What a new object starts with. */
export function fieldsFor(kind: Kind, { field, id }: PresetReference, of: PlatformObject | null): Fields {
  const own = copied[`${kind.objectKey} of ${targetOf(field)}`] ?? {}
  const known = Object.entries(own)
    .filter(([to, from]) => kind.fields.some(({ key }) => key === to) && of?.[from] !== undefined && of[from] !== null)
    .map(([to, from]) => [to, of?.[from]])
  return { ...Object.fromEntries(known), [field.key]: field.type === 'list' ? [id] : id }
}
