import { Button, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { Command } from '../../app/copying/command.tsx'
import { Copyable } from '../../app/copying/copyable.tsx'
import { IconRefresh } from '../../app/icons/icons.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Folded } from '../../app/parts/folded.tsx'
import { FurtherLink } from '../../app/parts/further-link.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { formatJson } from '../../app/values/json.ts'
import { eventsPath, webhooksPath } from '../paths.ts'
import { type Attempt, type DeliveryDetail, deliveryQuery, webhookQuery } from './queries.ts'
import { useResendNow } from './use-resend-now.ts'
import { deliveryStates, NextAttempt, nameOf } from './words.tsx'

export function DeliveryPage() {
  const { webhookId = '', deliveryId = '' } = useParams({ strict: false })
  const { data: webhook } = useQuery(webhookQuery(webhookId))
  const above = { label: webhook ? nameOf(webhook) : 'Webhook', to: `${webhooksPath}/${webhookId}` }
  return (
    <RecordPage title="Delivery" above={above} query={deliveryQuery(deliveryId)}>
      {(delivery) => <Known delivery={delivery} above={above} />}
    </RecordPage>
  )
}

function Known({ delivery, above }: { delivery: DeliveryDetail; above: { label: string; to: string } }) {
  const { isAdmin } = useMe()
  const { resend, isPending } = useResendNow()
  const { id, type, state, event_id, attempt_count, attempts, request_body } = delivery
  const first = attempt_count - attempts.length + 1
  const newestFirst = attempts.map((attempt, index) => ({ attempt, number: first + index })).toReversed()
  return (
    <Page
      title={`Delivery of ${type}`}
      above={above}
      actions={
        isAdmin && (
          <Button leftSection={<IconRefresh size={16} aria-hidden />} loading={isPending} onClick={() => resend(id)}>
            Send again
          </Button>
        )
      }
    >
      <Panel>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Fact label="State">
            <StateBadge {...deliveryStates[state]} />
          </Fact>
          <Fact label="Attempts">{attempt_count.toLocaleString()}</Fact>
          <Fact label="Next attempt">
            <NextAttempt delivery={delivery} />
          </Fact>
          <Fact label="Event">
            <Copyable text={event_id} label="the event id" />
            <FurtherLink to={`${eventsPath}/${event_id}`}>Show the event</FurtherLink>
          </Fact>
        </SimpleGrid>
      </Panel>
      {newestFirst.map(({ attempt, number }, index) =>
        index === 0 ? (
          <Panel key={number} title={`Attempt ${number}`}>
            <AttemptDetails attempt={attempt} number={number} />
          </Panel>
        ) : (
          <Folded key={number} title={`Attempt ${number}`} summary={attempt.error ?? `Answered ${attempt.status}`}>
            <AttemptDetails attempt={attempt} number={number} />
          </Folded>
        ),
      )}
      <Panel
        title="Body"
        lead="The same in every attempt. It is shown with line breaks; the button copies it exactly as it is sent, which is what the signature is made of."
      >
        <Command label="Request body" text={formatJson(request_body)} copied={request_body} />
      </Panel>
    </Page>
  )
}

/** What was sent, and what came back. */
function AttemptDetails({ attempt, number }: { attempt: Attempt; number: number }) {
  const { at, status, duration_ms, error, response_excerpt, request_url, request_headers } = attempt
  const headers = Object.entries(request_headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mb="md">
        <Fact label="When">
          <Moment at={at} />
        </Fact>
        <Fact label="Answer">{status ?? 'None'}</Fact>
        <Fact label="Took">{duration_ms.toLocaleString()} ms</Fact>
        <Fact label="Result">{error ?? 'Delivered'}</Fact>
      </SimpleGrid>
      <Command label={`Request of attempt ${number}`} text={[`POST ${request_url}`, ...headers].join('\n')} />
      {response_excerpt ? (
        <Command
          label={`Response of attempt ${number}`}
          text={formatJson(response_excerpt)}
          copied={response_excerpt}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {status === null ? 'There was no response.' : 'The response had no body.'}
        </Text>
      )}
    </>
  )
}
