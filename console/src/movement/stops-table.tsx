import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { wordsOf } from '../objects/kind.ts'
import { NamedObjectLink } from '../objects/object-name.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { timeOf } from '../parts/dates.ts'
import { durationOf, type Stop } from './stop.ts'

/** Stops in order, with their windows and what was reported; `actions` are the buttons of a stop. */
export function StopsTable({ stops, actions }: { stops: readonly Stop[]; actions?: (stop: Stop) => ReactNode }) {
  const columns: Column<Stop>[] = [
    { label: 'Stop', show: ({ sequence, kind }) => `${sequence}. ${wordsOf(kind)}` },
    { label: 'Place', show: PlaceOf },
    { label: 'Window', show: windowOf },
    { label: 'Expected', show: Expected },
    { label: 'Arrived', show: ({ arrivedAt }) => (arrivedAt ? timeOf(arrivedAt) : '–') },
    { label: 'Departed', show: ({ departedAt }) => (departedAt ? timeOf(departedAt) : '–') },
    ...(actions ? [{ label: 'Report', show: actions }] : []),
  ]
  return <DataTable label="Stops" columns={columns} rows={stops} keyOf={({ id }) => id} />
}

function PlaceOf({ place, orderId, referenceNumbers }: Stop) {
  return (
    <>
      <div>{place}</div>
      {orderId && <NamedObjectLink objectKey="order" id={orderId} />}
      {referenceNumbers.length > 0 && (
        <Text span size="xs" c="dimmed">
          {' '}
          {referenceNumbers.join(', ')}
        </Text>
      )}
    </>
  )
}

function windowOf({ windowStart, windowEnd }: Stop): string {
  if (!windowStart && !windowEnd) return '–'
  return [windowStart && `from ${timeOf(windowStart)}`, windowEnd && `until ${timeOf(windowEnd)}`].filter(Boolean).join(' ')
}

function Expected({ eta, delayMinutes }: Stop) {
  return (
    <>
      <div>{eta ? timeOf(eta) : '–'}</div>
      {delayMinutes !== null && delayMinutes > 0 && (
        <Text span size="xs" fw={600} c="var(--mantine-color-error)">
          {durationOf(delayMinutes)} late
        </Text>
      )}
    </>
  )
}
