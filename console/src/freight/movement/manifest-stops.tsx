import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconSend } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { hasDepartedBehind, nextIn, openBefore } from '../../app/values/stop-order.ts'
import { BorderCrossings } from './border-crossings.tsx'
import { OpenStops } from './open-stops.tsx'
import { type Report, trackQuery, useReport } from './queries.ts'
import { durationOf, type Stop, stopIn } from './stop.ts'
import { StopsTable } from './stops-table.tsx'

const said = { arrive: 'Arrival reported.', depart: 'Departure reported.', undo: 'The last report was undone.' }

/** The stops of a manifest: what is expected, and one click to report an arrival or a departure. */
export function ManifestStops({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(trackQuery(id))
  const report = useReport(id)
  const [asking, setAsking] = useState<Asking | null>(null)
  const send = (what: Report | 'dispatch') =>
    report.mutate(what, {
      onSuccess: (moved) =>
        notifications.show({ message: `${what === 'dispatch' ? 'Dispatched.' : said[what.what]} ${moved}` }),
    })
  // What was typed stays where only reading it again has failed.
  if (!data) return error ? <Failed error={error} what="the stops" retry={() => void refetch()} /> : null
  const stops = data.stops.map(stopIn).map((stop) => ({ ...stop, arrived: stop.arrivedAt, departed: stop.departedAt }))
  const isWaiting = data.status === 'active' || data.status === 'planned'
  const dispatch = (
    <Button
      size="xs"
      leftSection={<IconSend size={14} aria-hidden />}
      loading={report.isPending}
      onClick={() => send('dispatch')}
    >
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
          stops={stops}
          actions={(stop) => (
            <Buttons
              stop={stop}
              isNext={nextIn(stops)?.id === stop.id}
              mayUndo={!hasDepartedBehind(stops, stop.id)}
              isPending={report.isPending}
              send={(what) => {
                const passed = what === 'undo' ? [] : openBefore(stops, stop.id)
                if (passed.length > 0) setAsking({ stop, what, passed })
                else send({ stop: stop.id, what })
              }}
            />
          )}
        />
      )}
      {asking && (
        <PassOver
          {...asking}
          close={() => setAsking(null)}
          report={() => {
            setAsking(null)
            send({ stop: asking.stop.id, what: asking.what, skip_stops: true })
          }}
        />
      )}
      <BorderCrossings track={data} />
      {report.error ? <Failed error={report.error} /> : null}
    </Panel>
  )
}

type Asking = { stop: Stop; what: Report['what']; passed: readonly Stop[] }

/** Asks before stops are passed over, which may complete a trip whose freight was never picked up. */
function PassOver({ stop, what, passed, close, report }: Asking & { close: () => void; report: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title={`${what === 'arrive' ? 'Arrived at' : 'Departed from'} stop ${stop.sequence}?`}
    >
      <OpenStops stops={passed} />
      <Text size="sm">The states of the manifest and its orders follow the report, as if these were done.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button color="red.9" onClick={report}>
          Report it anyway
        </Button>
      </Group>
    </Modal>
  )
}

type Shown = { distance_left_km: number | null; delay_minutes: number | null }

function leadOf({ distance_left_km, delay_minutes }: Shown): string | undefined {
  if (distance_left_km === null) return undefined
  const left = `${distance_left_km.toLocaleString()} km are left.`
  return delay_minutes ? `${left} It is expected to be ${durationOf(delay_minutes)} late.` : left
}

type ButtonsProps = {
  stop: Stop
  isNext: boolean
  mayUndo: boolean
  isPending: boolean
  send: (what: Report['what']) => void
}

function Buttons({ stop: { sequence, arrivedAt, departedAt }, isNext, mayUndo, isPending, send }: ButtonsProps) {
  const main = arrivedAt ? 'depart' : 'arrive'
  const button = (what: Report['what'], label: string) => (
    <Button
      size="compact-xs"
      variant={what === 'undo' ? 'subtle' : isNext && what === main ? 'filled' : 'default'}
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
      {mayUndo && (arrivedAt || departedAt) && button('undo', 'Undo')}
    </Group>
  )
}
