import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Failed } from '../parts/failed.tsx'
import { Panel } from '../parts/panel.tsx'
import { BorderCrossings } from './border-crossings.tsx'
import { type Report, trackQuery, useReport } from './queries.ts'
import { durationOf, type Stop, stopIn } from './stop.ts'
import { StopsTable } from './stops-table.tsx'

const said = { arrive: 'Arrival reported.', depart: 'Departure reported.', undo: 'The last report was undone.' }

/** The stops of a manifest: what is expected, and one click to report an arrival or a departure. */
export function ManifestStops({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(trackQuery(id))
  const report = useReport(id)
  const send = (what: Report | 'dispatch') =>
    report.mutate(what, {
      onSuccess: (moved) => notifications.show({ message: `${what === 'dispatch' ? 'Dispatched.' : said[what.what]} ${moved}` }),
    })
  // What was typed stays where only reading it again has failed.
  if (!data) return error ? <Failed error={error} what="the stops" retry={() => void refetch()} /> : null
  const isWaiting = data.status === 'active' || data.status === 'planned'
  const dispatch = (
    <Button size="xs" leftSection={<IconSend size={14} aria-hidden />} loading={report.isPending} onClick={() => send('dispatch')}>
      Dispatch
    </Button>
  )
  return (
    <Panel title="Stops" lead={leadOf(data)} actions={isWaiting && dispatch}>
      {data.stops.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet. Add some with Edit, or dispatch the manifest: then it gets the stops of its orders.
        </Text>
      ) : (
        <StopsTable
          stops={data.stops.map(stopIn)}
          actions={(stop) => <Buttons stop={stop} isPending={report.isPending} send={(what) => send({ stop: stop.id, what })} />}
        />
      )}
      <BorderCrossings track={data} />
      {report.error ? <Failed error={report.error} /> : null}
    </Panel>
  )
}

type Shown = { distance_left_km: number | null; delay_minutes: number | null }

function leadOf({ distance_left_km, delay_minutes }: Shown): string | undefined {
  if (distance_left_km === null) return undefined
  const left = `${distance_left_km.toLocaleString()} km are left.`
  return delay_minutes ? `${left} It is expected to be ${durationOf(delay_minutes)} late.` : left
}

function Buttons({ stop: { sequence, arrivedAt, departedAt }, isPending, send }: { stop: Stop; isPending: boolean; send: (what: Report['what']) => void }) {
  const button = (what: Report['what'], label: string) => (
    <Button
      size="compact-xs"
      variant={what === 'undo' ? 'subtle' : 'default'}
      disabled={isPending}
      aria-label={`${label}, stop ${sequence}`}
      onClick={() => send(what)}
    >
      {label}
    </Button>
  )
  return (
    <Group gap={4} wrap="nowrap">
      {!arrivedAt && !departedAt && button('arrive', 'Arrived')}
      {!departedAt && button('depart', 'Departed')}
      {(arrivedAt || departedAt) && button('undo', 'Undo')}
    </Group>
  )
}
