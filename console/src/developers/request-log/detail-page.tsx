import { Alert, Anchor, Code, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { settings } from '../../app/api/settings.ts'
import { Command } from '../../app/copying/command.tsx'
import { Copyable } from '../../app/copying/copyable.tsx'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Fact } from '../../app/parts/fact.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { FurtherLink } from '../../app/parts/further-link.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { formatJson, formattedBeginning } from '../../app/values/json.ts'
import { requestEventsQuery } from '../events/queries.ts'
import { subjectWords } from '../events/subject.tsx'
import { applicationsPath, eventsPath, requestLogPath } from '../paths.ts'
import { curlFor } from './curl.ts'
import { type EntryWithAnswer as Entry, entryQuery } from './queries.ts'
import { DryRun, Status } from './status.tsx'
import { applicationWords } from './words.ts'

const masked = '[masked]'

const above = { label: 'Request log', to: requestLogPath }

export function DetailPage() {
  return (
    <ForAdmins>
      <Detail />
    </ForAdmins>
  )
}

function Detail() {
  const { entryId = '' } = useParams({ strict: false })
  return (
    <RecordPage title="Request" above={above} query={entryQuery(entryId)}>
      {(entry) => <Known entry={entry} />}
    </RecordPage>
  )
}

function Known({ entry }: { entry: Entry }) {
  const { method, path, query, prefer, body, body_type, request_id } = entry
  if (method === null || path === null) {
    return (
      <Page title="Requests that were not kept" above={above}>
        <Text>
          {entry.not_kept?.toLocaleString()} more requests of this minute were not kept, because there were too many.
        </Text>
      </Page>
    )
  }
  return (
    <Page title={`${method} ${path}`} above={above}>
      <Facts entry={entry} />
      {method !== 'GET' && method !== 'HEAD' && request_id && <RequestEvents requestId={request_id} />}
      {body_type !== null && <Body entry={entry} />}
      <Answer entry={entry} />
      <Panel title="Repeat it" lead="Set LADING_TOKEN to an access token first.">
        {[query, prefer, body].some((text) => text?.includes(masked)) && (
          <Alert variant="default" mb="sm">
            Secrets are not kept. Replace every {masked} with the value that was sent.
          </Alert>
        )}
        <Command label="curl" text={curlFor(settings.publicUrl, { method, path, query, prefer, body, body_type })} />
      </Panel>
    </Page>
  )
}

function Facts({ entry }: { entry: Entry }) {
  const {
    occurred_at,
    status,
    dry_run,
    error_code,
    error_message,
    duration_ms,
    request_id,
    application,
    user,
    idempotency_key,
    query,
    prefer,
  } = entry
  return (
    <Panel>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Fact label="When">
          <Moment at={occurred_at} />
        </Fact>
        <Fact label="Status">
          <Status status={status} /> {dry_run && <DryRun />}
        </Fact>
        <Fact label="Took">{duration_ms === null ? '–' : `${duration_ms.toLocaleString()} ms`}</Fact>
        <Fact label="Application">
          {application?.id ? (
            <Anchor renderRoot={(props) => <Link to={`${applicationsPath}/${application.id}`} {...props} />}>
              {applicationWords(entry)}
            </Anchor>
          ) : (
            applicationWords(entry)
          )}
          {application && (
            <FurtherLink to={requestLogPath} search={{ application: application.client_id }}>
              All its requests
            </FurtherLink>
          )}
        </Fact>
        <Fact label="User">
          {user ? (user.name ?? user.email ?? 'A user who is gone') : 'None: the application acted for itself.'}
        </Fact>
        <Fact label="Request id">{request_id ? <Copyable text={request_id} label="the request id" /> : '–'}</Fact>
        {idempotency_key && (
          <Fact label="Idempotency key">
            <Copyable text={idempotency_key} label="the idempotency key" />
          </Fact>
        )}
        {query && <Fact label="Query">{query}</Fact>}
        {prefer && <Fact label="Prefer">{prefer}</Fact>}
      </SimpleGrid>
      {error_code && (
        <Alert variant="default" title={error_code} mt="md">
          {error_message === masked
            ? 'What the refusal said is not kept, because it may repeat a secret.'
            : error_message}
        </Alert>
      )}
    </Panel>
  )
}

function RequestEvents({ requestId }: { requestId: string }) {
  const { data, error, refetch } = useQuery(requestEventsQuery(requestId))
  return (
    <Panel title="Events that it made">
      {error ? <Failed error={error} what="the events" retry={() => void refetch()} /> : null}
      {!data && !error && <Skeleton height={40} />}
      {data?.events.length === 0 && (
        <Text size="sm" c="dimmed">
          None: it changed nothing.
        </Text>
      )}
      {data?.events.map((event) => (
        <Text key={event.id} size="sm" lh="24px">
          <Anchor renderRoot={(props) => <Link to={`${eventsPath}/${event.id}`} {...props} />}>
            <Code>{event.type}</Code> {subjectWords(event)}
          </Anchor>
        </Text>
      ))}
      {data && data.events.length > 0 && (
        <FurtherLink to={eventsPath} search={{ request_id: requestId }}>
          Show them in the list of events
        </FurtherLink>
      )}
    </Panel>
  )
}

function Body({ entry: { body, body_cut, body_type, body_bytes } }: { entry: Entry }) {
  const size = body_bytes === null ? '' : `, ${body_bytes.toLocaleString()} bytes`
  return (
    <Panel
      title="What was sent"
      lead={`${body_type}${size}. Secrets are masked.${body_cut ? ' Only the beginning was kept.' : ''}`}
    >
      {body === null ? (
        <Text size="sm">The content is not kept, because it was no JSON.</Text>
      ) : (
        <Command label="Request body" text={formatJson(body)} copied={body} />
      )}
    </Panel>
  )
}

function Answer({ entry: { answer_body, answer_cut, answer_type } }: { entry: Entry }) {
  return (
    <Panel
      title="What was answered"
      lead={answer_type && `${answer_type}. Secrets are masked.${answer_cut ? ' Only the beginning was kept.' : ''}`}
    >
      {answer_body !== null ? (
        <Command
          label="Answer"
          text={answer_cut ? formattedBeginning(answer_body) : formatJson(answer_body)}
          copied={answer_body}
        />
      ) : (
        <Text size="sm">
          {answer_type === null
            ? 'Nothing but the status.'
            : 'The content is not kept: it is a file, or has a secret in it.'}
        </Text>
      )}
    </Panel>
  )
}
