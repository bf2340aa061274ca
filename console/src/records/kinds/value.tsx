import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DockTime, When } from '../../app/parts/when.tsx'
import { dockTimeOf, timeOf } from '../../app/values/dates.ts'
import type { Money } from './amounts.ts'
import { type Field, type Fields, isRecord, type Shape, wordsOf } from './kind.ts'
import { zoneIn } from './zone.ts'

export type ReferredObject = { id: string; objectKey: string; fullId?: string; name?: string }

type ValueProps = {
  shape: Shape
  value: unknown
  money: Money
  /** The object that a reference points to, if it was loaded. */
  referred?: unknown
  /** Show the date of a point in time, with the time in a tooltip. */
  dayOnly?: boolean
  /** Of a point in time: the time zone in which it is shown, with its name, where that is not the viewer's. */
  zone?: string | undefined
}

const none = '–'
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a value for people. */
export function Value({ shape, value, money, referred, dayOnly = false, zone }: ValueProps) {
  if (isRecord(referred)) return <ObjectLink object={referred as ReferredObject} />
  if (Array.isArray(referred) && referred.length > 0) return <Links objects={referred as ReferredObject[]} />
  if (shape.type === 'date-time' && typeof value === 'string' && zone)
    return <DockTime at={value} zone={zone} withYear />
  if (shape.type === 'date-time' && typeof value === 'string')
    return dayOnly ? <When at={value} /> : <time dateTime={value}>{timeOf(value)}</time>
  return textOfValue(shape, value, money)
}

/** Writes the same in plain text. */
export function textOfValue(shape: Shape, value: unknown, money: Money, zone?: string): string {
  if (value === undefined || value === null || value === '') return none
  const { type, items } = shape
  if (type === 'boolean') return value === true ? 'Yes' : 'No'
  if (type === 'money' && typeof value === 'number') return money.show(value)
  if (type === 'number' && typeof value === 'number')
    return value.toLocaleString(undefined, { maximumFractionDigits: 10 })
  if (type === 'date' && typeof value === 'string') return dateOf(value)
  if (type === 'date-time' && typeof value === 'string')
    return zone ? dockTimeOf(value, zone, { withYear: true }) : timeOf(value)
  if (type === 'select' && typeof value === 'string') return wordsOf(value)
  if (type === 'address' && isRecord(value)) return placeOf(value)
  if (type === 'multi-select' && Array.isArray(value))
    return value.length > 0 ? value.map((option) => wordsOf(String(option))).join(', ') : none
  if (type === 'list' && Array.isArray(value)) return listOf(items, value, money)
  if (shape.format === 'currency') return String(value).toUpperCase()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function listOf(items: Shape['items'], value: readonly unknown[], money: Money): string {
  if (value.length === 0) return none
  if (!items || 'fields' in items) return entriesOf(items, value, money)
  return items.type === 'reference'
    ? `${value.length}`
    : value.map((entry) => textOfValue(items, entry, money)).join(', ')
}

function entriesOf(items: { fields: readonly Field[] } | undefined, value: readonly unknown[], money: Money): string {
  const fields = items?.fields.filter(({ format }) => format !== 'id') ?? []
  const entry = (record: Fields) =>
    fields
      .filter(({ key }) => record[key] !== undefined && record[key] !== null)
      .map((field) => textOfValue(field, record[field.key], money, zoneNamedIn(fields, record)))
      .join(' · ')
  return value.map((record) => (isRecord(record) ? entry(record) : JSON.stringify(record))).join('; ')
}

/** Of records that have a time zone, as stops do. */
function zoneNamedIn(fields: readonly Field[], record: Fields): string | undefined {
  return fields.some(({ format }) => format === 'time-zone') ? zoneIn(fields, record) : undefined
}

/** Company and town, or the first part that there is. */
function placeOf({ companyName, address1, city, state, country }: Record<string, unknown>): string {
  const town = [city, state].filter(Boolean).join(', ')
  return [companyName, town || address1 || country].filter(Boolean).join(' · ') || none
}

function dateOf(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(time) ? date : day.format(time)
}

export function ObjectLink({ object: { id, objectKey, name, fullId } }: { object: ReferredObject }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={`/objects/${objectKey}/${id}`} {...props} />}>
      {name ?? fullId ?? id}
    </Anchor>
  )
}

const most = 3

function Links({ objects }: { objects: readonly ReferredObject[] }) {
  return (
    <>
      {objects.slice(0, most).map((object, index) => (
        <span key={object.id}>
          {index > 0 && ', '}
          <ObjectLink object={object} />
        </span>
      ))}
      {objects.length > most && (
        <Text span size="sm" c="dimmed">
          {' '}
          and {objects.length - most} more
        </Text>
      )}
    </>
  )
}
