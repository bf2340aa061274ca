import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { IconChevronLeft, IconChevronRight } from '../../../app/icons/icons.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { browserZone, dockTimeOf, today } from '../../../app/values/dates.ts'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { daysFrom } from '../trips/days.ts'
import { filtersOf, tripsQuery, unitsQuery } from '../trips/queries.ts'
import { type Change, columns, type DispatchSearch } from '../trips/search.ts'
import { countOf, isLate, stopsOf, wayOf } from '../trips/trip.ts'
import styles from './timeline.module.css'
import { type Bar, daysOf, placeOf, type Range, type Row, rowsOf, timelessOf } from './timeline.ts'

const days = 7
const dayWords = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

type TimelineViewProps = { search: DispatchSearch; change: Change; open: (id: string) => void }

/** Which driver and which unit is taken when: a row for each, a bar for each manifest. */
export function TimelineView({ search, change, open }: TimelineViewProps) {
  const range: Range = { first: search.day ?? daysFrom(today(), -1), days }
  // A day of the browser begins on the day before or ends on the day after in UTC.
  const between = { from: daysFrom(range.first, -1), to: daysFrom(range.first, days) }
  const query = { ...filtersOf(search), ...between, status_ids: search.status?.split(',') ?? [...columns] }
  const { data, error, refetch } = useQuery(tripsQuery(query))
  const units = useQuery(unitsQuery)
  if (error) return <Failed error={error} what="the manifests" retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={8} />
  const isNarrowed = Boolean(search.q || search.carrier || search.equipment || search.driver)
  const { drivers, equipment } = rowsOf(data.manifests, isNarrowed ? [] : (units.data ?? []), range)
  const timeless = timelessOf(data.manifests)
  const show = (shift: number) => change({ day: daysFrom(range.first, shift) })
  return (
    <>
      <Group gap="xs" mb="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconChevronLeft size={14} aria-hidden />}
          onClick={() => show(-days)}
        >
          Earlier
        </Button>
        <Button variant="default" size="xs" onClick={() => change({ day: undefined })}>
          Today
        </Button>
        <Button
          variant="default"
          size="xs"
          rightSection={<IconChevronRight size={14} aria-hidden />}
          onClick={() => show(days)}
        >
          Later
        </Button>
        {data.total > data.manifests.length && (
          <Text size="sm" c="dimmed">
            The first {data.manifests.length} of {data.total.toLocaleString()} manifests are shown. Use the filters to
            see fewer.
          </Text>
        )}
      </Group>
      {units.error ? <Failed error={units.error} what="the equipment" retry={() => void units.refetch()} /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={styles.scroll} aria-label="Timeline" tabIndex={0}>
        <div className={styles.table}>
          <Head range={range} />
          {[
            { title: 'Drivers', rows: drivers },
            { title: 'Equipment', rows: equipment },
          ].map(({ title, rows }) => (
            <Fragment key={title}>
              <div className={`${styles.row} ${styles.group}`}>
                <div className={styles.label}>{title}</div>
                <div className={styles.day}>{rows.length === 0 && 'None on these days.'}</div>
              </div>
              {rows.map((row) => (
                <Line key={row.key} row={row} range={range} open={open} />
              ))}
            </Fragment>
          ))}
        </div>
      </section>
      {timeless.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {countOf(timeless.length, 'manifest')} without times: {timeless.map(({ full_id }) => full_id).join(', ')}.
        </Text>
      )}
    </>
  )
}

function Head({ range }: { range: Range }) {
  return (
    <div className={`${styles.row} ${styles.head}`}>
      <div className={styles.label}>Who and what</div>
      <div className={styles.days}>
        {daysOf(range).map((day) => (
          <div key={day} className={styles.day} data-today={day === today() || undefined}>
            {dayWords.format(new Date(day))}
            {day === today() && ' · today'}
          </div>
        ))}
      </div>
    </div>
  )
}

const lineHeight = 32

function Line({ row, range, open }: { row: Row; range: Range; open: (id: string) => void }) {
  const now = placeOf(Date.now(), range)
  return (
    <div className={styles.row}>
      <div className={styles.label}>
        {row.label}
        {row.detail && (
          <Text size="xs" c="dimmed">
            {row.detail}
          </Text>
        )}
      </div>
      <div className={styles.lane} style={{ minHeight: row.lines * lineHeight + 4 }}>
        {now >= 0 && now <= 100 && <div className={styles.now} style={{ left: `${now}%` }} aria-hidden />}
        {row.bars.map((bar) => (
          <Booking key={bar.trip.id} bar={bar} of={row.label} open={open} />
        ))}
      </div>
    </div>
  )
}

function Booking({
  bar: { trip, left, width, line, isDouble },
  of,
  open,
}: {
  bar: Bar
  of: string
  open: (id: string) => void
}) {
  const [first, last] = [stopsOf(trip)[0], stopsOf(trip).at(-1)]
  const times = `${dockTimeOf(trip.starts_at as string, first?.timeZone ?? browserZone())} to ${dockTimeOf(trip.ends_at as string, last?.timeZone ?? browserZone())}`
  const unworkable =
    trip.planning_findings.length > 0 &&
    countOf(trip.planning_findings.length, 'thing that cannot work', 'things that cannot work')
  const marks = [isDouble && 'double booking', isLate(trip) && 'late', unworkable].filter(Boolean).join(', ')
  const words = `${trip.full_id} ${wayOf(trip)}, ${wordsOf(trip.status)}, ${times}${marks && `, ${marks}`}`
  return (
    <UnstyledButton
      className={styles.bar ?? ''}
      style={{ left: `${left}%`, width: `${width}%`, top: line * lineHeight + 4 }}
      data-status={trip.status}
      data-double={isDouble || undefined}
      data-late={isLate(trip) || undefined}
      title={words}
      aria-label={`${of}: ${words}`}
      onClick={() => open(trip.id)}
    >
      {marks && '⚠ '}
      {trip.full_id} · {wayOf(trip)}
    </UnstyledButton>
  )
}
