import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { wordsOfType } from '../app/history/record-history.tsx'
import { Failed } from '../app/parts/failed.tsx'
import { Panel } from '../app/parts/panel.tsx'
import { timeOf } from '../app/values/dates.ts'
import { useActorWords } from '../developers/events/actor.tsx'
import { recentEventsQuery } from '../developers/events/queries.ts'
import { SubjectLink } from '../developers/events/subject.tsx'
import { eventsPath } from '../developers/paths.ts'
import { activityIn } from './activity.ts'

/** What happened last to the money and to what is moved: a line for each request. */
export function RecentActivity() {
  const { data, error, refetch } = useQuery(recentEventsQuery)
  const whoOf = useActorWords()
  const all = (
    <Anchor size="sm" renderRoot={(props) => <Link to={eventsPath} {...props} />}>
      All events
    </Anchor>
  )
  return (
    <Panel title="Recent activity" actions={all}>
      {error && <Failed error={error} what="the recent activity" retry={() => void refetch()} />}
      {data?.length === 0 && <Text c="dimmed">Nothing has happened yet.</Text>}
      <Stack gap={6} component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {activityIn(data ?? [])
          .slice(0, 8)
          .map(({ event, others }) => (
            <Group key={event.id} component="li" gap={6} justify="space-between" wrap="nowrap" align="flex-start">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <SubjectLink event={event} /> {others > 0 && <span>and {others.toLocaleString()} more </span>}
                <span>{wordsOfType(event.type).toLowerCase()}</span>
                <Text span size="sm" c="dimmed">
                  {' '}
                  by {whoOf(event.actor)}
                </Text>
              </Text>
              <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                <time dateTime={event.occurred_at}>{timeOf(event.occurred_at)}</time>
              </Text>
            </Group>
          ))}
      </Stack>
    </Panel>
  )
}
