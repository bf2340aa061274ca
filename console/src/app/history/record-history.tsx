import type { Schemas } from '@lading/sdk'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Panel } from '../parts/panel.tsx'
import { ActorName } from './actor-name.tsx'
import { HistoryEntries, type HistoryEntry } from './entries.tsx'

export type RecordedEvent = Schemas['Event'] & { actor_name: string | null }
export type Events = { events: readonly RecordedEvent[]; total: number; limit: number }

export type RecordHistoryProps<Data, Key extends readonly unknown[]> = {
  /** The newest events of the record, so many of them. */
  query: (limit: number) => UseQueryOptions<Data, Error, Data, Key>
  /** Shows what an event changed. */
  changesOf: (event: RecordedEvent) => ReactNode
  /** Which of the events are shown; all of them unless said. */
  pick?: (events: readonly RecordedEvent[]) => readonly RecordedEvent[]
}

/** By the part of the event's name after the noun: `bill.created`. */
const words: Record<string, string> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
  billed: 'Billed',
  matched: 'Matched',
  audited: 'Audited',
  accepted: 'Accepted',
  validated: 'Validated',
  submitted: 'Submitted',
  acknowledged: 'Acknowledged by customs',
  amended: 'Amendment begun',
  filing_failed: 'Could not be handed over',
  crossed_without_acceptance: 'Crossed the border without an accepted e-manifest',
  short_paid: 'Paid short',
  disputed: 'Disputed',
  invoiced: 'Invoiced',
  voided: 'Voided',
  refunded: 'Paid back',
  written_off: 'Written off',
  corrected: 'Corrected',
  repriced: 'Exchange rate updated',
  issued: 'Issued',
  cleared: 'Cleared',
  allocated: 'Allocated',
  approved: 'Approved',
  rejected: 'Rejected',
  change_requested: 'Change asked for',
  change_approved: 'Change approved',
  change_rejected: 'Change rejected',
  revealed: 'Bank details shown',
  payment_returned: 'A payment came back',
  advised: 'Remittance advices mailed',
  closed: 'Closed',
  saved: 'Saved',
  sent: 'Sent',
  edited: 'Changed after sending',
  paid: 'Paid',
  reopened: 'Reopened',
  unsaved: 'Changed back to a draft',
  invited: 'Invited',
  joined: 'Joined',
  disabled: 'Disabled',
  enabled: 'Enabled',
  secret_rotated: 'Secret rotated',
  redelivered: 'A delivery sent again',
  replayed: 'Events sent again',
  test: 'Test event sent',
  approval_requested: 'Approval requested',
  approval_given: 'Approved by one of several',
  approval_reminder: 'Reminder sent',
}

/** What happened, by the type of the event. */
export function wordsOfType(type: string): string {
  const verb = type.slice(type.indexOf('.') + 1)
  return words[verb] ?? (verb.charAt(0).toUpperCase() + verb.slice(1)).replaceAll('_', ' ')
}

const step = 20

/** Every change of a record with who, when, and the values before and after, newest first: the same on the page of every kind of record. */
export function RecordHistory<Data extends Events, Key extends readonly unknown[]>(
  props: RecordHistoryProps<Data, Key>,
) {
  return (
    <Panel title="History">
      <HistoryOf {...props} />
    </Panel>
  )
}

/** Is shown without the panel, for a dialog. */
export function HistoryOf<Data extends Events, Key extends readonly unknown[]>({
  query,
  changesOf,
  pick = (events) => events,
}: RecordHistoryProps<Data, Key>) {
  const [limit, setLimit] = useState(step)
  const { data, error, refetch, isFetching } = useQuery({ ...query(limit), placeholderData: keepPreviousData as never })
  const entryOf = (event: RecordedEvent): HistoryEntry => {
    const verb = event.type.slice(event.type.indexOf('.') + 1)
    return {
      id: event.id,
      what: wordsOfType(event.type),
      who: <ActorName actor={event.actor} name={event.actor_name} />,
      at: event.occurred_at,
      reason: (event.data as { reason?: string } | null)?.reason,
      changes: verb === 'created' ? null : changesOf(event),
    }
  }
  const hasOlder = data && data.total > data.events.length && data.limit === data.events.length
  return (
    <HistoryEntries
      entries={data && pick(data.events).map(entryOf)}
      error={error}
      retry={() => void refetch()}
      older={hasOlder ? { load: () => setLimit(limit + step), isLoading: isFetching } : undefined}
    />
  )
}
