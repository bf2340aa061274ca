import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DockSpan, DockTime } from '../../app/parts/when.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import { wordsOf } from '../../records/kinds/kind.ts'
import { NamedObjectLink } from '../../records/kinds/object-name.tsx'
import { durationOf, type Stop } from './stop.ts'

/** Stops in order, with their windows and what was reported; `actions` are the buttons of a stop. */
export function StopsTable({ stops, actions }: { stops: readonly Stop[]; actions?: (stop: Stop) => ReactNode }) {
  const columns: Column<Stop>[] = [
    { label: 'Stop', show: ({ sequence, kind }) => `${sequence}. ${wordsOf(kind)}` },
    { label: 'Place', show: PlaceOf },
    {
      label: 'Window',
      show: ({ windowStart, windowEnd, timeZone }) => <DockSpan from={windowStart} until={windowEnd} zone={timeZone} />,
    },
    { label: 'Expected', show: Expected },
    {
      label: 'Arrived',
      show: ({ arrivedAt, timeZone }) => (arrivedAt ? <DockTime at={arrivedAt} zone={timeZone} /> : '–'),
    },
    {
      label: 'Departed',
      show: ({ departedAt, timeZone }) => (departedAt ? <DockTime at={departedAt} zone={timeZone} /> : '–'),
    },
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

function Expected({ eta, delayMinutes, timeZone }: Stop) {
  return (
    <>
      <div>{eta ? <DockTime at={eta} zone={timeZone} /> : '–'}</div>
      {delayMinutes !== null && delayMinutes > 0 && (
        <Text span size="xs" fw={600} c="var(--mantine-color-error)">
          {durationOf(delayMinutes)} late
        </Text>
      )}
    </>
  )
}
