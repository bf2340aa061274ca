import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useCurrencies, useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconHistory } from '../../app/icons/icons.ts'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { NumberedLink } from '../../books/documents/shown/numbered-link.tsx'
import { PartyLink } from '../../books/documents/shown/parties.tsx'
import { DecideDialog } from './decide-dialog.tsx'
import { FreightLines } from './freight-lines.tsx'
import { type Tender, tenderHistoryQuery } from './queries.ts'
import { tenderTones, tenderWords } from './words.ts'

/** Tenders with what can be done about each. */
export function TendersTable({
  tenders,
  withManifest = false,
}: {
  tenders: readonly Tender[]
  withManifest?: boolean
}) {
  const money = useMoney()
  const currencyOf = useCurrencies()
  const amount = (value: number | null, currency: string | null) =>
    value === null ? '–' : currencyOf(currency) ? money(value, currency) : String(value)
  const columns: Column<Tender>[] = [
    ...(withManifest
      ? [
          {
            label: 'Manifest',
            show: ({ manifest_id }: Tender) => <NumberedLink label="" objectKey="manifest" id={manifest_id} />,
          },
        ]
      : []),
    ...(withManifest
      ? [{ label: 'Freight', show: ({ manifest }: Tender) => (manifest ? <FreightLines freight={manifest} /> : '–') }]
      : []),
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

type Opened = 'cancel' | 'accept_counter' | 'history'

function Actions({ tender }: { tender: Tender }) {
  const { may } = useMe()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const isLive = may('enter') && ['open', 'countered', 'accepted'].includes(tender.state)
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {isLive && tender.state === 'countered' && (
        <Button size="compact-sm" onClick={() => setOpened('accept_counter')}>
          Accept
        </Button>
      )}
      {isLive && (
        <Button size="compact-sm" variant="default" onClick={() => setOpened('cancel')}>
          Cancel
        </Button>
      )}
      <RowAction icon={IconHistory} label="History" of="the tender" onClick={() => setOpened('history')} />
      {(opened === 'cancel' || opened === 'accept_counter') && (
        <DecideDialog tender={tender} decision={opened} close={close} />
      )}
      {opened === 'history' && (
        <HistoryDialog
          name="the tender"
          close={close}
          query={(limit) => tenderHistoryQuery(tender.id, limit)}
          changesOf={(event) => <FieldChanges event={event} labels={historyLabels} />}
        />
      )}
    </Group>
  )
}

const historyLabels = { state: 'State', counter_rate: 'Asked for', agreed_rate: 'Agreed' }
