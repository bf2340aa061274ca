import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../parts/data-table.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { StateBadge, type Tone } from '../../../parts/state-badge.tsx'
import type { Checked, Outcome } from './use-import-steps.ts'

type PreviewProps = { checked: Checked; run: (checked: Checked) => void; busy: boolean }

/** What the import would do to each row, those that cannot be imported first. */
export function Preview({ checked, run, busy }: PreviewProps) {
  const { outcomes, good } = checked
  const count = (status: string) => outcomes.filter((outcome) => outcome.status === status).length
  const failed = count('failed')
  const parts = [
    [count('ready'), 'to be imported in the background'],
    [count('would_create'), 'to be created'],
    [count('would_update'), 'to be updated'],
    [count('unchanged'), 'as in the file already'],
    [failed, 'that cannot be imported'],
  ] as const
  return (
    <Panel title="Preview" lead="Nothing is imported yet.">
      <Text size="sm" mb="sm" role="status">
        {parts
          .filter(([number]) => number > 0)
          .map(([number, words]) => `${number.toLocaleString()} ${words}`)
          .join(', ')}
      </Text>
      <ReportTable rows={outcomes.toSorted((a, b) => Number(a.status !== 'failed') - Number(b.status !== 'failed'))} />
      <Group mt="md">
        <Button onClick={() => run(checked)} loading={busy} disabled={good.length === 0}>
          Import {good.length.toLocaleString()} {good.length === 1 ? 'row' : 'rows'}
        </Button>
        {failed > 0 && good.length > 0 && (
          <Text size="sm" c="dimmed">
            The others are left out.
          </Text>
        )}
      </Group>
    </Panel>
  )
}

const states: Record<string, { words: string; tone: Tone }> = {
  ready: { words: 'Ready', tone: 'open' },
  would_create: { words: 'New', tone: 'open' },
  would_update: { words: 'Update', tone: 'moving' },
  unchanged: { words: 'Unchanged', tone: 'quiet' },
  failed: { words: 'Error', tone: 'stopped' },
}

const pageSize = 50

const columns: Column<Outcome>[] = [
  { label: 'Line', end: true, show: ({ row }) => row.line.toLocaleString() },
  {
    label: 'Result',
    show: ({ status }) => <StateBadge words={states[status]?.words ?? status} tone={states[status]?.tone ?? 'quiet'} />,
  },
  { label: 'Problem', show: ({ problem }) => problem ?? '–' },
  {
    label: 'Row',
    show: ({ row }) =>
      row.cells
        .filter((cell) => cell.trim())
        .join(' · ')
        .slice(0, 120),
  },
]

export function ReportTable({ rows }: { rows: readonly Outcome[] }) {
  const [page, setPage] = useState(1)
  const offset = (page - 1) * pageSize
  return (
    <DataTable
      label="Rows of the file"
      columns={columns}
      rows={rows.slice(offset, offset + pageSize)}
      keyOf={({ row }) => String(row.line)}
      paging={{ offset, limit: pageSize, total: rows.length, onPage: setPage }}
    />
  )
}
