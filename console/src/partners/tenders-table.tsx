import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useCurrencies, useMoney } from '../api/currencies.ts'
import { useMe } from '../api/me.ts'
import { wordsFor } from '../api/problem.ts'
import { NumberedLink } from '../billing/documents/numbered-link.tsx'
import { PartyLink } from '../billing/parties.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { timeOf } from '../parts/dates.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { FreightLines } from './freight-lines.tsx'
import { type Tender, useAcceptCounter, useCancelTender } from './queries.ts'
import { tenderTones, tenderWords } from './words.ts'

/** Tenders with what can be done about each. */
export function TendersTable({ tenders, withManifest = false }: { tenders: readonly Tender[]; withManifest?: boolean }) {
  const money = useMoney()
  const currencyOf = useCurrencies()
  const amount = (value: number | null, currency: string | null) => (value === null ? '–' : currencyOf(currency) ? money(value, currency) : String(value))
  const columns: Column<Tender>[] = [
    ...(withManifest ? [{ label: 'Manifest', show: ({ manifest_id }: Tender) => <NumberedLink label="" objectKey="manifest" id={manifest_id} /> }] : []),
    ...(withManifest ? [{ label: 'Freight', show: ({ manifest }: Tender) => (manifest ? <FreightLines freight={manifest} /> : '–') }] : []),
    { label: 'Carrier', show: ({ partner_carrier_id }) => <PartyLink party="carrier" id={partner_carrier_id} /> },
    { label: 'State', show: ({ state }) => <StateBadge words={tenderWords[state]} tone={tenderTones[state]} /> },
    { label: 'Offered', end: true, show: ({ rate, currency_id }) => amount(rate, currency_id) },
    { label: 'Asked for', end: true, show: ({ counter_rate, currency_id }) => amount(counter_rate, currency_id) },
    { label: 'Note of the carrier', show: ({ answer }) => answer ?? '–' },
    { label: 'Until', show: ({ expires_at }) => <span style={{ whiteSpace: 'nowrap' }}>{timeOf(expires_at)}</span> },
    { label: 'Actions', end: true, show: (tender) => <Actions tender={tender} /> },
  ]
  return <DataTable label="Tenders" columns={columns} rows={tenders} keyOf={({ id }) => id} />
}

function Actions({ tender }: { tender: Tender }) {
  const { may } = useMe()
  const cancel = useCancelTender(tender)
  const accept = useAcceptCounter(tender)
  const failed = (error: unknown) => void notifications.show({ title: 'The tender was not changed', message: wordsFor(error), color: 'red.9' })
  if (!may('enter') || !['open', 'countered', 'accepted'].includes(tender.state)) return null
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {tender.state === 'countered' && (
        <Button size="compact-sm" loading={accept.isPending} onClick={() => accept.mutate(undefined, { onError: failed })}>
          Accept
        </Button>
      )}
      <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined, { onError: failed })}>
        Cancel
      </Button>
    </Group>
  )
}
