import type { ReactNode } from 'react'
import { ChangeList, FromTo } from './entries.tsx'
import type { RecordedEvent } from './record-history.tsx'

type Values = Record<string, unknown>
export type FieldLabels = Record<string, string>

/** What an event changed of the fields that have a label. */
export function FieldChanges({
  event,
  labels,
  show = textOf,
}: {
  event: RecordedEvent
  labels: FieldLabels
  show?: (value: unknown, field: string) => ReactNode
}) {
  const [before, after] = [(event.previous ?? {}) as Values, (event.data ?? {}) as Values]
  const changed = Object.entries(labels).filter(([field]) => field in before && !isSame(before[field], after[field]))
  return (
    <ChangeList
      changes={changed.map(([field, label]) => ({
        key: field,
        label,
        text: <FromTo from={show(before[field], field)} to={show(after[field], field)} />,
      }))}
    />
  )
}

/** An event can name a field that it did not change. */
function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '(empty)'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
