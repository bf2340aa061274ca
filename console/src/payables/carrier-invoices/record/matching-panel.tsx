import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import { RemoteSelect } from '../../../app/inputs/remote-select.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { NumberedLink } from '../../../books/documents/shown/numbered-link.tsx'
import { nameQuery } from '../../../records/kinds/names.ts'
import type { CarrierInvoice } from '../invoice.ts'
import { type Proposal, proposalsQuery, useMatch } from '../queries.ts'
import { sentenceOfMove } from '../rows.ts'
import { findingsInWords, isOpen } from '../states.ts'

/** The manifests that an invoice is for; while it is open, those that it may be for, with the reasons, and a button to match it. */
export function MatchingPanel({ invoice }: { invoice: CarrierInvoice }) {
  const { may } = useMe()
  const [choosing, setChoosing] = useState(false)
  const match = useMatch(invoice)
  const { manifest_ids } = invoice
  const canMatch = may('enter') && isOpen(invoice)
  const isMatched = manifest_ids.length > 0
  if (!isMatched && !canMatch) return null
  // By the promise: what is matched may leave the list, and with it this panel.
  const change = (ids: string[]) =>
    match.mutateAsync(ids).then(
      ({ state, findings }) => {
        setChoosing(false)
        const done =
          ids.length > 0 ? `was matched and audited: ${findingsInWords(findings)}` : 'is not matched any more'
        notifications.show({ message: `${invoice.invoice_number} ${done}.${sentenceOfMove(invoice.state, state)}` })
      },
      () => {},
    )
  const buttons = isMatched && canMatch && (
    <>
      <Button size="xs" variant="default" onClick={() => setChoosing(!choosing)}>
        {choosing ? 'Keep the match' : 'Change'}
      </Button>
      <Button size="xs" variant="subtle" loading={match.isPending} onClick={() => void change([])}>
        Take back
      </Button>
    </>
  )
  return (
    <Panel title={isMatched ? 'Matched with' : 'Not matched yet'} actions={buttons}>
      {isMatched && (
        <Group gap="sm" fz="sm">
          {manifest_ids.map((id) => (
            <NumberedLink key={id} label="Manifest" objectKey="manifest" id={id} />
          ))}
        </Group>
      )}
      {match.error ? <Failed error={match.error} /> : null}
      {canMatch && (!isMatched || choosing) && (
        <Proposals invoice={invoice} match={(id) => void change([id])} busy={match.isPending} />
      )}
    </Panel>
  )
}

type ProposalsProps = { invoice: CarrierInvoice; match: (manifestId: string) => void; busy: boolean }

function Proposals({ invoice, match, busy }: ProposalsProps) {
  const { data, error, refetch } = useQuery(proposalsQuery(invoice))
  const [other, setOther] = useState<string | null>(null)
  if (error) return <Failed error={error} what="the proposals" retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={1} />
  return (
    <Stack gap="sm" mt="xs">
      {data.slice(0, 5).map((proposal) => (
        <ProposalEntry
          key={proposal.manifest_id}
          proposal={proposal}
          currency={invoice.currency_id}
          match={match}
          busy={busy}
        />
      ))}
      {data.length === 0 && (
        <Text size="sm" c="dimmed">
          No manifest fits by its number, carrier, amount and date.
        </Text>
      )}
      <Group gap="xs" align="flex-end">
        <RemoteSelect
          label="Another manifest"
          clearable
          search={manifestsQuery}
          one={manifestQuery}
          value={other}
          onChange={setOther}
          style={{ flex: '1 1 12rem' }}
        />
        <Button variant="default" disabled={other === null} loading={busy} onClick={() => other && match(other)}>
          Match
        </Button>
      </Group>
    </Stack>
  )
}

type EntryProps = { proposal: Proposal; currency: string; match: (manifestId: string) => void; busy: boolean }

function ProposalEntry({ proposal, currency, match, busy }: EntryProps) {
  const money = useMoney()
  const { manifest_id, full_id, reference_number, agreed_amount, score, reasons } = proposal
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Group gap="xs">
          <Anchor
            size="sm"
            fw={600}
            underline="always"
            renderRoot={(props) => <Link to={`/objects/manifest/${manifest_id}`} {...props} />}
          >
            {full_id}
          </Anchor>
          <Text size="sm">
            {reference_number && reference_number !== full_id && `${reference_number} · `}
            {money(agreed_amount, currency)} agreed
          </Text>
          <StateBadge words={`${Math.round(score * 100)} %`} tone={score >= 0.8 ? 'done' : 'open'} />
        </Group>
        <Button
          size="xs"
          variant="default"
          flex="none"
          loading={busy}
          aria-label={`Match with ${full_id}`}
          onClick={() => match(manifest_id)}
        >
          Match
        </Button>
      </Group>
      <List size="sm" c="dimmed">
        {reasons.map(({ code, message }) => (
          <List.Item key={code}>{message}</List.Item>
        ))}
      </List>
    </div>
  )
}

const manifestsQuery = (term: string) =>
  queryOptions({
    queryKey: ['objects', 'manifest', 'choices', term],
    queryFn: async () => {
      const query = { limit: 20, ...(term && { search_term: term }) }
      const { manifests } = await answered(lading.GET('/api/v1/manifests', { params: { query } }))
      return manifests.map(({ id, full_id, reference_number }) => ({
        value: id,
        label: reference_number ? `${full_id} · ${reference_number}` : String(full_id),
      }))
    },
  })

const manifestQuery = (id: string) =>
  queryOptions({
    queryKey: ['objects', 'manifest', 'choice', id],
    queryFn: async ({ client }) => {
      const named = await client.ensureQueryData(nameQuery('manifest', id))
      return [{ value: id, label: named?.fullId ?? id }]
    },
  })
