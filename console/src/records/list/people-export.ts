import { sheetHeadOf, sheetTimeOf } from '../../app/values/dates.ts'
import { decimalOf } from '../../app/values/money.ts'
import type { Money } from '../kinds/amounts.ts'
import {
  aliasOf,
  currencyField,
  type Fields,
  isRecord,
  type Kind,
  type Place,
  type PlatformObject,
  targetOf,
  wordsOf,
} from '../kinds/kind.ts'
import { type ReferredObject, textOfValue } from '../kinds/value.tsx'
import { placesFor, valueAt } from './columns.tsx'

/** The columns of the list as the cells of a spreadsheet: names of what is referred to, amounts as decimal numbers, days as every spreadsheet reads them, times in one time zone that the head of their column names. */
export function tableForPeople(
  kind: Kind,
  chosen: readonly string[],
  objects: readonly PlatformObject[],
  { moneyIn, zone }: { moneyIn: (fields: Fields) => Money; zone: string },
): string[][] {
  const places = placesFor(kind, chosen)
  const currency = places.some(({ shape }) => shape.type === 'money') ? currencyField(kind) : undefined
  const added = currency && !chosen.includes(currency.key) ? currency : undefined
  return [
    [
      'Id',
      ...places.map(({ label, shape }) => (shape.type === 'date-time' ? sheetHeadOf(label, zone) : label)),
      ...(added ? [added.name] : []),
    ],
    ...objects.map((object) => [
      object.fullId,
      ...places.map((place) => cellOf(place, object, moneyIn(object), zone)),
      ...(added ? [String(object[added.key] ?? '').toUpperCase()] : []),
    ]),
  ]
}

function cellOf({ path, shape }: Place, object: PlatformObject, money: Money, zone: string): string {
  const referred = targetOf(shape) && object[aliasOf(path)]
  if (isRecord(referred)) return nameOf(referred as ReferredObject)
  if (Array.isArray(referred) && referred.length > 0) return (referred as ReferredObject[]).map(nameOf).join(', ')
  const value = valueAt(object, path)
  if (value === null || value === undefined || value === '') return ''
  if (shape.type === 'money' && typeof value === 'number') return decimalOf(value, money.digits)
  if (typeof value === 'number') return String(value)
  if (shape.type === 'date' && typeof value === 'string') return value
  if (shape.type === 'date-time' && typeof value === 'string') return sheetTimeOf(value, zone)
  if (path === 'status' || path === 'billStatusId') return wordsOf(String(value))
  const text = textOfValue(shape, value, money)
  return text === '–' ? '' : text
}

function nameOf({ id, name, fullId }: ReferredObject): string {
  return name ?? fullId ?? id
}
