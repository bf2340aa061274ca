import { ActionIcon, Group, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '../../../app/icons/icons.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { DockSpan, DockTime } from '../../../app/parts/when.tsx'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { durationOf } from '../../movement/stop.ts'
import { FindingList } from '../board/findings.tsx'
import { useSequence } from '../trips/queries.ts'
import { type PlacedStop, stopsOf, type Trip } from '../trips/trip.ts'
import styles from './plan-drawer.module.css'

/** The stops on the way, each of which can go up or down. Those that were reported, and those before them, stay. */
export function StopSequence({ trip }: { trip: Trip }) {
  const stops = stopsOf(trip)
  const sequence = useSequence(trip)
  const fixed = stops.findLastIndex(({ arrivedAt, departedAt }) => Boolean(arrivedAt ?? departedAt))
  const isOver = trip.status === 'completed' || trip.status === 'cancelled'
  if (stops.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None yet. They come with the orders.
      </Text>
    )
  const swap = (index: number, other: number) => {
    const ids = stops.map(({ id }) => id)
    sequence.mutate(ids.with(index, ids[other] as string).with(other, ids[index] as string))
  }
  const canMove = (index: number, other: number) =>
    !isOver && !sequence.isPending && Math.min(index, other) > fixed && other < stops.length
  return (
    <>
      <ol className={styles.list}>
        {stops.map((stop, index) => (
          <li key={stop.id} className={styles.row}>
            <StopLine
              stop={stop}
              number={index + 1}
              findings={trip.planning_findings.filter(({ stop_id }) => stop_id === stop.id)}
            />
            <Group gap={2} wrap="nowrap">
              <ActionIcon
                variant="default"
                size={26}
                disabled={!canMove(index, index - 1)}
                aria-label={`Move stop ${index + 1} up`}
                onClick={() => swap(index, index - 1)}
              >
                <IconArrowUp size={15} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="default"
                size={26}
                disabled={!canMove(index, index + 1)}
                aria-label={`Move stop ${index + 1} down`}
                onClick={() => swap(index, index + 1)}
              >
                <IconArrowDown size={15} aria-hidden />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ol>
      {sequence.error ? <Failed error={sequence.error} /> : null}
    </>
  )
}

function StopLine({
  stop,
  number,
  findings,
}: {
  stop: PlacedStop
  number: number
  findings: Trip['planning_findings']
}) {
  const { kind, place, windowStart, windowEnd, arrivedAt, departedAt, eta, delayMinutes, timeZone } = stop
  const [said, at] = departedAt ? ['departed', departedAt] : arrivedAt ? ['arrived', arrivedAt] : ['expected', eta]
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <Text size="sm">
        {number}. {wordsOf(kind)}, {place}
      </Text>
      <Text size="xs" c="dimmed">
        {at ? (
          <>
            {said} <DockTime at={at} zone={timeZone} />
          </>
        ) : windowStart || windowEnd ? (
          <DockSpan from={windowStart} until={windowEnd} zone={timeZone} />
        ) : (
          'No times'
        )}
      </Text>
      {delayMinutes !== null && delayMinutes > 0 && (
        <Text size="xs" fw={600} c="var(--mantine-color-error)">
          {durationOf(delayMinutes)} late
        </Text>
      )}
      <FindingList findings={findings} />
    </div>
  )
}
