import { Anchor, Button, Code, Group, Switch, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { IconActivity } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge, type Tone } from '../../app/parts/state-badge.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { useActorWords } from '../events/actor.tsx'
import { type Event, eventsQuery } from '../events/queries.ts'
import type { EventSearch } from '../events/search.ts'
import { subjectWords } from '../events/subject.tsx'
import { type LiveState, useLive } from '../events/use-live.ts'
import { eventsPath } from '../paths.ts'
import { Filters } from './filters.tsx'

export function ListPage() {
  const search = useSearch({ strict: false }) as EventSearch
  const navigate = useNavigate()
  return (
    <Page
      title="Events"
      lead="Everything that has changed in your organization, the newest first. Programs read the same with GET /api/v1/events, and webhooks are sent it."
    >
      <Filters search={search} change={(make) => void navigate({ to: eventsPath, search: make as never })} />
      <Events key={JSON.stringify(search)} search={search} />
    </Page>
  )
}

/** Of those that came while the page was open, so many are shown. */
const mostFresh = 500

function Events({ search }: { search: EventSearch }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(eventsQuery(search))
  const [fresh, setFresh] = useState<readonly Event[]>([])
  const [isOn, setOn] = useState(true)
  const state = useLive({
    after: data?.pages[0]?.next_after,
    types: search.types,
    isOn,
    onEvent: (event) => {
      if (matches(search, event))
        setFresh((before) => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, mostFresh))
    },
    onExpired: () => void refetch(),
  })
  const columns = useColumns()
  if (error) return <Failed error={error} what="the events" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const loaded = data.pages.flatMap(({ events }) => events)
  const known = new Set(loaded.map(({ id }) => id))
  const rows = [...fresh.filter(({ id }) => !known.has(id)), ...loaded]
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Switch
            label="Show new events at once"
            checked={isOn}
            onChange={({ currentTarget }) => setOn(currentTarget.checked)}
          />
          <StateBadge {...liveWords[state]} />
        </Group>
      </Group>
      {rows.length > 0 ? (
        <DataTable label="Events" columns={columns} rows={rows} keyOf={({ id }) => id} sticky />
      ) : (
        <Notice icon={IconActivity} title={hasNextPage ? 'Nothing among the newest events' : 'No events'}>
          {Object.keys(search).length === 0
            ? 'Every change of a record is shown here, by whoever makes it.'
            : 'No event matches the filters. New ones are shown here as they happen.'}
        </Notice>
      )}
      {hasNextPage && (
        <Button mt="sm" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older events
        </Button>
      )}
    </>
  )
}

const liveWords: Record<LiveState, { words: string; tone: Tone }> = {
  live: { words: 'Live', tone: 'done' },
  connecting: { words: 'Connecting', tone: 'attention' },
  off: { words: 'Paused', tone: 'quiet' },
}

/** The stream filters by type; the rest is done here. */
function matches(
  { subject_type, subject_id, request_id }: EventSearch,
  { subject, request_id: request }: Event,
): boolean {
  return (
    (!subject_type || subject.type === subject_type) &&
    (!subject_id || subject.id === subject_id.toLowerCase()) &&
    (!request_id || request === request_id)
  )
}

function useColumns(): Column<Event>[] {
  const wordsOf = useActorWords()
  return [
    { label: 'When', show: ({ occurred_at }) => <Moment at={occurred_at} /> },
    {
      label: 'Type',
      show: ({ id, type }) => (
        <Anchor size="sm" renderRoot={(props) => <Link to={`${eventsPath}/${id}`} {...rowLink} {...props} />}>
          <Code style={{ overflowWrap: 'anywhere' }}>{type}</Code>
        </Anchor>
      ),
    },
    { label: 'Record', show: subjectWords },
    {
      label: 'Who',
      show: ({ actor }) => (
        <Text size="sm" span>
          {wordsOf(actor)}
        </Text>
      ),
    },
  ]
}
