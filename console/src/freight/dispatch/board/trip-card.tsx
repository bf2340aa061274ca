import { ActionIcon, Group, Loader, Menu, Text, UnstyledButton } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { IconAlertTriangle, IconDots } from '../../../app/icons/icons.ts'
import { DockTime } from '../../../app/parts/when.tsx'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { durationOf } from '../../movement/stop.ts'
import { positionOf } from '../trips/days.ts'
import { countOf, crewOf, isLate, stopsOf, type Trip, wayOf } from '../trips/trip.ts'
import { useNow } from '../trips/use-now.ts'
import styles from './board.module.css'
import { Findings } from './findings.tsx'

/** The kind of what is dragged: a browser shows it while it is dragged, and the content only when it is dropped. */
export const orderDrag = 'application/x-lading-orders'

type TripCardProps = {
  trip: Trip
  isPending: boolean
  open: (id: string) => void
  move: (trip: Trip, to: string) => void
  drag: (trip: Trip | null) => void
  /** Orders were dropped on it. */
  add: (trip: Trip, orders: string[]) => void
}

/** A manifest on the board. It can be dragged to another column, and its menu does the same. */
export function TripCard({ trip, isPending, open, move, drag, add }: TripCardProps) {
  const [isOver, setOver] = useState(false)
  const { id, full_id, reference_number, moves } = trip
  const takes = (event: DragEvent) => event.dataTransfer.types.includes(orderDrag)
  return (
    <article
      className={styles.card}
      aria-label={full_id}
      draggable={!isPending && moves.length > 0}
      data-late={isLate(trip) || undefined}
      data-pending={isPending || undefined}
      data-over={isOver || undefined}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', full_id)
        event.dataTransfer.effectAllowed = 'move'
        drag(trip)
      }}
      onDragEnd={() => drag(null)}
      onDragOver={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!takes(event)) return
        event.preventDefault()
        event.stopPropagation()
        add(trip, event.dataTransfer.getData(orderDrag).split(','))
      }}
    >
      <Group justify="space-between" wrap="nowrap" gap={4} align="flex-start">
        <UnstyledButton className={styles.name ?? ''} onClick={() => open(id)}>
          {full_id}
          {reference_number && reference_number !== full_id && (
            <Text span size="xs" c="dimmed" fw={400} ml={4} display="inline-block">
              {reference_number}
            </Text>
          )}
        </UnstyledButton>
        {isPending ? (
          <Loader size="xs" role="status" aria-label={`Moving ${full_id}`} />
        ) : (
          <MoveMenu trip={trip} move={(to) => move(trip, to)} />
        )}
      </Group>
      <Text size="sm">{wayOf(trip)}</Text>
      <Text size="xs" c="dimmed">
        {crewOf(trip) || 'Nobody assigned yet'}
      </Text>
      <Text size="xs" c="dimmed">
        {countOf(trip.orders.length, 'order')} · {countOf(trip.stops.length, 'stop')}
      </Text>
      <Next trip={trip} />
    </article>
  )
}

/** What comes next, and whether it comes late. */
function Next({ trip }: { trip: Trip }) {
  const stops = stopsOf(trip)
  const now = useNow()
  const expected = stops.find(({ id }) => id === trip.next_stop_id)
  const waiting = stops.find(({ arrivedAt, departedAt }) => !arrivedAt && !departedAt)
  return (
    <>
      {expected?.eta ? (
        <Text size="xs">
          {wordsOf(expected.kind)}, {expected.town}: expected <DockTime at={expected.eta} zone={expected.timeZone} />
        </Text>
      ) : (
        waiting &&
        (waiting.windowStart || waiting.windowEnd) && (
          <Text size="xs">
            {wordsOf(waiting.kind)}, {waiting.town}: {waiting.windowStart ? 'from' : 'until'}{' '}
            <DockTime at={(waiting.windowStart ?? waiting.windowEnd) as string} zone={waiting.timeZone} />
          </Text>
        )
      )}
      {trip.border_crossings.map(({ stop_id, state, flagged }) => (
        <Border key={stop_id} state={state} isFlagged={flagged} />
      ))}
      {trip.last_position && (
        <Text size="xs" c="dimmed">
          {positionOf(trip.last_position.at, now)}
        </Text>
      )}
      <Findings findings={trip.planning_findings} />
      {isLate(trip) && (
        <span className={styles.late}>
          <IconAlertTriangle size={14} aria-hidden /> {durationOf(trip.delay_minutes as number)} late
        </span>
      )}
    </>
  )
}

/** Whether customs has accepted an e-manifest for a border on the way. */
function Border({ state, isFlagged }: { state: string | null; isFlagged: boolean }) {
  if (isFlagged)
    return (
      <span className={styles.late}>
        <IconAlertTriangle size={14} aria-hidden /> Crossed the border without an accepted e-manifest
      </span>
    )
  return <Text size="xs">Border: {state ? `e-manifest ${wordsOf(state).toLowerCase()}` : 'no e-manifest yet'}</Text>
}

/** The same as dragging, for the keyboard and for fingers. */
export function MoveMenu({ trip: { full_id, moves }, move }: { trip: Trip; move: (to: string) => void }) {
  if (moves.length === 0) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label={`Move ${full_id}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {moves.map((to) => (
          <Menu.Item key={to} onClick={() => move(to)}>
            Move to {wordsOf(to).toLowerCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
