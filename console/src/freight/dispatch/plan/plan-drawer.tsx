import { Anchor, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useUnsaved } from '../../../app/editing/unsaved.tsx'
import { PdfButton } from '../../../app/mail/pdf-button.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { DockTime } from '../../../app/parts/when.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { browserZone } from '../../../app/values/dates.ts'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { ObjectStatus } from '../../../records/kinds/status-badge.tsx'
import { durationOf } from '../../movement/stop.ts'
import { FindingList } from '../board/findings.tsx'
import { positionOf } from '../trips/days.ts'
import { tripQuery, useTakeOff } from '../trips/queries.ts'
import { isLate, nameOf, stopsOf, type Trip, wayOf } from '../trips/trip.ts'
import { useMoving } from '../trips/use-moving.tsx'
import { useNow } from '../trips/use-now.ts'
import { CrewForm } from './crew-form.tsx'
import styles from './plan-drawer.module.css'
import { StopSequence } from './stop-sequence.tsx'

/** One manifest, to be planned: who drives it, the order of its stops, its orders, and the paper for the carrier. */
export function PlanDrawer({ id, close }: { id: string; close: () => void }) {
  const { data: trip, error, refetch } = useQuery(tripQuery(id))
  const [isTyped, setTyped] = useState(false)
  const { close: leave, question } = useUnsaved(() => isTyped)
  return (
    <Drawer
      opened
      onClose={() => leave(close)}
      position="right"
      size="lg"
      title={trip ? nameOf(trip) : 'Manifest'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // Its header is a <header> element, which would be a second banner on the page.
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 650, fontSize: '1.1rem' } }}
    >
      {error ? <Failed error={error} what="the manifest" retry={() => void refetch()} /> : null}
      {trip === null && <Text size="sm">There is no such manifest any more.</Text>}
      {trip === undefined && !error && <TableSkeleton rows={6} />}
      {trip && <Planned trip={trip} onTyped={setTyped} />}
      {question}
    </Drawer>
  )
}

function Planned({ trip, onTyped }: { trip: Trip; onTyped: (isTyped: boolean) => void }) {
  const { id, full_id, status, moves, eta, delay_minutes, distance_left_km, last_position } = trip
  const now = useNow()
  const { move, pending, dialog } = useMoving()
  return (
    <Stack gap="lg">
      <div>
        <Group gap="xs" mb={4}>
          <ObjectStatus status={status} />
          <Text size="sm">{wayOf(trip)}</Text>
        </Group>
        {last_position && (
          <Text size="sm" c="dimmed">
            {positionOf(last_position.at, now)}
            {last_position.place && `: ${last_position.place}`}.
          </Text>
        )}
        {eta && (
          <Text size="sm" c="dimmed">
            Expected at the next stop <DockTime at={eta} zone={zoneOfNext(trip)} />
            {distance_left_km !== null && `, ${distance_left_km.toLocaleString()} km to the last`}.
          </Text>
        )}
        {isLate(trip) && (
          <Text size="sm" fw={600} c="var(--mantine-color-error)">
            {durationOf(delay_minutes as number)} late
          </Text>
        )}
        <FindingList findings={trip.planning_findings.filter(({ stop_id }) => stop_id === null)} />
        <Group gap="xs" mt="sm">
          {moves.map((to) => (
            <Button
              key={to}
              size="xs"
              variant="default"
              loading={pending?.to === to}
              disabled={pending !== null}
              onClick={() => move(trip, to)}
            >
              Move to {wordsOf(to).toLowerCase()}
            </Button>
          ))}
        </Group>
        <Group gap="xs" mt="xs">
          <PdfButton
            pdf={{ path: `manifests/${id}` }}
            name={`Rate confirmation ${full_id}`}
            label="Rate confirmation"
          />
          <Anchor size="sm" renderRoot={(props) => <Link to={`/objects/manifest/${id}`} {...props} />}>
            Open {full_id}
          </Anchor>
        </Group>
      </div>
      <Part title="Carrier, driver and equipment">
        <CrewForm key={crewKey(trip)} trip={trip} onTyped={onTyped} />
      </Part>
      <Part title="Stops">
        <StopSequence trip={trip} />
      </Part>
      <Part title="Orders">
        <Orders trip={trip} />
      </Part>
      {dialog}
    </Stack>
  )
}

function zoneOfNext(trip: Trip): string {
  return stopsOf(trip).find(({ id }) => id === trip.next_stop_id)?.timeZone ?? browserZone()
}

/** When somebody else assigns another, the form shows it; a change of stops or states leaves what is typed. */
function crewKey({ partner_carrier, driver_name, driver_phone, equipment }: Trip): string {
  return JSON.stringify([partner_carrier?.id, driver_name, driver_phone, equipment?.id])
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} fz="sm" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}

function Orders({ trip }: { trip: Trip }) {
  const takeOff = useTakeOff(trip.id)
  if (trip.orders.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None yet. Choose orders on the board and add them to {trip.full_id}.
      </Text>
    )
  return (
    <>
      <ul className={styles.list}>
        {trip.orders.map(({ id, full_id, reference_number, customer_name, status }) => (
          <li key={id} className={styles.row}>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Anchor size="sm" fw={600} renderRoot={(props) => <Link to={`/objects/order/${id}`} {...props} />}>
                {nameOf({ full_id, reference_number })}
              </Anchor>
              <Text size="xs" c="dimmed">
                {[customer_name, wordsOf(status)].filter(Boolean).join(' · ')}
              </Text>
            </div>
            <Button
              size="compact-xs"
              variant="default"
              loading={takeOff.isPending && takeOff.variables === id}
              aria-label={`Take ${full_id} off`}
              onClick={() => takeOff.mutate(id)}
            >
              Take off
            </Button>
          </li>
        ))}
      </ul>
      {takeOff.error ? <Failed error={takeOff.error} /> : null}
    </>
  )
}
