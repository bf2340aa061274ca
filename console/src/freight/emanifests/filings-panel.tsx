import { Button, Text } from '@mantine/core'
import { IconDownload } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { type Emanifest, type Filing, useDownload } from './queries.ts'
import { filingTones, filingWords, purposeWords } from './words.ts'

/** Everything that was filed, and what came back. */
export function FilingsPanel({ emanifest }: { emanifest: Emanifest }) {
  const download = useDownload(emanifest)
  const filings = emanifest.filings as Filing[]
  if (filings.length === 0) return null
  const columns: Column<Filing>[] = [
    { label: 'Interchange', show: ({ control_number, transaction_set }) => `${control_number}, ${transaction_set}` },
    { label: 'Purpose', show: ({ purpose }) => purposeWords[purpose] },
    { label: 'State', show: ({ state }) => <StateBadge words={filingWords[state]} tone={filingTones[state]} /> },
    { label: 'Sent', show: ({ sent_at }) => (sent_at ? timeOf(sent_at) : '–') },
    { label: 'What came back', show: Answers },
    {
      label: 'File',
      show: (filing) => (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          aria-label={`Download ${filing.control_number}`}
          onClick={() => download.mutate(filing)}
        >
          Download
        </Button>
      ),
    },
  ]
  return (
    <Panel title="Filed with customs">
      {download.error ? <Failed error={download.error} /> : null}
      <DataTable label="Filed with customs" columns={columns} rows={filings} keyOf={({ id }) => id} />
    </Panel>
  )
}

function Answers({ acknowledgements, error }: Filing) {
  const messages = acknowledgements.flatMap(({ messages }) => messages)
  return (
    <>
      {messages.length === 0 && !error && '–'}
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be equal, and their order never changes
        <div key={index}>{message}</div>
      ))}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </>
  )
}

type Status = Emanifest['shipment_statuses'][number]

const statusColumns: Column<Status>[] = [
  { label: 'Shipment', show: ({ control_number }) => control_number ?? 'The trip' },
  { label: 'Code', show: ({ code }) => code },
  { label: 'When', show: ({ at }) => (at ? timeOf(at) : '–') },
  { label: 'Entry', show: ({ entry_number }) => entry_number ?? '–' },
  { label: 'What customs says', show: ({ message }) => message ?? '–' },
]

export function StatusesPanel({ emanifest: { shipment_statuses } }: { emanifest: Emanifest }) {
  if (shipment_statuses.length === 0) return null
  const rows = shipment_statuses.map((status, index) => ({ ...status, place: String(index) }))
  return (
    <Panel title="Status at customs">
      <DataTable
        label="Status at customs"
        columns={statusColumns}
        rows={rows}
        keyOf={(row) => (row as Status & { place: string }).place}
      />
    </Panel>
  )
}
