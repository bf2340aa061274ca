import { SimpleGrid, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { Command } from '../../app/copying/command.tsx'
import { Copyable } from '../../app/copying/copyable.tsx'
import { ChangeList, FromTo } from '../../app/history/entries.tsx'
import { textOf } from '../../app/history/field-changes.tsx'
import { Fact } from '../../app/parts/fact.tsx'
import { FurtherLink } from '../../app/parts/further-link.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { useActorWords } from '../events/actor.tsx'
import { type Event, eventQuery } from '../events/queries.ts'
import { SubjectLink } from '../events/subject.tsx'
import { eventsPath, requestLogPath } from '../paths.ts'
import { EventDeliveries } from './event-deliveries.tsx'

const above = { label: 'Events', to: eventsPath }

export function DetailPage() {
  const { eventId = '' } = useParams({ strict: false })
  return (
    <RecordPage title="Event" above={above} query={eventQuery(eventId)}>
      {(event) => <Known event={event} />}
    </RecordPage>
  )
}

function Known({ event }: { event: Event }) {
  const { id, type, occurred_at, actor, subject, revision, request_id } = event
  const wordsOf = useActorWords()
  return (
    <Page title={type} above={above}>
      <Panel>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <Fact label="When">
            <Moment at={occurred_at} />
          </Fact>
          <Fact label="Who">{wordsOf(actor)}</Fact>
          <Fact label="Record">
            <SubjectLink event={event} />
            {revision !== null && <Text size="xs">Revision {revision}</Text>}
            <FurtherLink to={eventsPath} search={{ subject_type: subject.type, subject_id: subject.id }}>
              All events of this record
            </FurtherLink>
          </Fact>
          <Fact label="Event id">
            <Copyable text={id} label="the event id" />
          </Fact>
          <Fact label="Record id">
            <Copyable text={subject.id} label="the record id" />
          </Fact>
          <Fact label="Request id">
            {request_id ? <RequestLinks requestId={request_id} /> : 'None: Lading did it in the background.'}
          </Fact>
        </SimpleGrid>
      </Panel>
      <Changes event={event} />
      <EventDeliveries eventId={id} />
      <Panel title="JSON">
        <Command label="The event" text={JSON.stringify(event, null, 2)} />
      </Panel>
    </Page>
  )
}

function RequestLinks({ requestId }: { requestId: string }) {
  const { isAdmin } = useMe()
  return (
    <>
      <Copyable text={requestId} label="the request id" />
      {isAdmin && (
        <FurtherLink to={requestLogPath} search={{ request_id: requestId }}>
          Show it in the request log
        </FurtherLink>
      )}
    </>
  )
}

/** What the changed fields were before, and what they are now. */
function Changes({ event: { data, previous } }: { event: Event }) {
  if (!isRecord(previous) || Object.keys(previous).length === 0) return null
  const now = isRecord(data) ? data : {}
  const changes = Object.keys(previous).map((key) => ({
    key,
    label: key,
    text: <FromTo from={textOf(previous[key])} to={textOf(now[key])} />,
  }))
  return (
    <Panel title="What changed">
      <ChangeList changes={changes} />
    </Panel>
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
