import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { IconDownload } from '../../../app/icons/icons.ts'
import { Panel } from '../../../app/parts/panel.tsx'
import { StateBadge, type Tone } from '../../../app/parts/state-badge.tsx'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { saveFile } from '../../../app/values/save-file.ts'
import { fileOf } from '../../../app/values/spreadsheet.ts'
import { type DocumentKind, pathOf } from '../kind.ts'
import { NumberLink } from '../shown/shown.tsx'
import type { Table } from './csv.ts'
import { failedRows } from './failed-rows.ts'
import { numbersQuery } from './queries.ts'
import type { CheckedRows, LikelyDuplicates, Outcome } from './use-import-steps.ts'

type PreviewProps = {
  kind: DocumentKind
  table: Table
  checked: CheckedRows
  run: (checked: CheckedRows) => void
  busy: boolean
}

/** What the import would do to each row, those that cannot be imported first. */
export function Preview({ kind, table, checked, run, busy }: PreviewProps) {
  const { outcomes, good } = checked
  const count = (status: string) => outcomes.filter((outcome) => outcome.status === status).length
  const failed = count('failed')
  const alike = outcomes.filter(({ alike: found }) => found).length
  const parts = [
    [count('ready'), 'to be imported in the background'],
    [count('would_create'), 'to be created'],
    [count('would_update'), 'to be updated'],
    [count('unchanged'), 'as in the file already'],
    [failed, 'that cannot be imported'],
    [alike, alike === 1 ? 'possible duplicate' : 'possible duplicates'],
  ] as const
  return (
    <Panel title="Preview" lead="Nothing is imported yet.">
      <Text size="sm" mb="sm" role="status">
        {parts
          .filter(([number]) => number > 0)
          .map(([number, words]) => `${number.toLocaleString()} ${words}`)
          .join(', ')}
      </Text>
      {failed > 0 && (
        <DownloadFailed kind={kind} table={table} failed={outcomes.filter(({ status }) => status === 'failed')} />
      )}
      <ReportTable kind={kind} rows={outcomes.toSorted((a, b) => rank(a) - rank(b))} />
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

/** What asks for something comes first: errors, then possible duplicates. */
function rank({ status, alike }: Outcome): number {
  return status === 'failed' ? 0 : alike ? 1 : 2
}

type DownloadProps = { kind: DocumentKind; table: Table; failed: readonly Outcome[] }

export function DownloadFailed({ kind, table, failed }: DownloadProps) {
  const save = () => saveFile(fileOf(failedRows(table, failed)), `${kind.resource}-not-imported.csv`)
  return (
    <Button variant="default" size="xs" mb="sm" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
      Download the rows with errors
    </Button>
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

const columnsFor = (showAlike: (alike: LikelyDuplicates) => ReactNode): Column<Outcome>[] => [
  { label: 'Line', end: true, show: ({ row }) => row.line.toLocaleString() },
  {
    label: 'Result',
    show: ({ status }) => <StateBadge words={states[status]?.words ?? status} tone={states[status]?.tone ?? 'quiet'} />,
  },
  {
    label: 'Problem',
    show: ({ problems, alike }) => {
      if (problems.length === 0 && !alike) return '–'
      return (
        <>
          {problems.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
          {alike && showAlike(alike)}
        </>
      )
    },
  },
  {
    label: 'Row',
    show: ({ row }) =>
      row.cells
        .filter((cell) => cell.trim())
        .join(' · ')
        .slice(0, 120),
  },
]

export function ReportTable({ kind, rows }: { kind: DocumentKind; rows: readonly Outcome[] }) {
  const [page, setPage] = useState(1)
  const offset = (page - 1) * pageSize
  const shown = rows.slice(offset, offset + pageSize)
  const { data: numbers } = useQuery(numbersQuery(kind, [...new Set(shown.flatMap(({ alike }) => alike?.ids ?? []))]))
  const showAlike = (alike: LikelyDuplicates) => <AlikeLinks kind={kind} {...alike} numbers={numbers} />
  return (
    <DataTable
      label="Rows of the file"
      columns={columnsFor(showAlike)}
      rows={shown}
      keyOf={({ row }) => String(row.line)}
      paging={{ offset, limit: pageSize, total: rows.length, onPage: setPage }}
    />
  )
}

type AlikeProps = LikelyDuplicates & { kind: DocumentKind; numbers: ReadonlyMap<string, string> | undefined }

function AlikeLinks({ kind, ids, lines, numbers }: AlikeProps) {
  return (
    <div>
      Possible duplicate of{' '}
      {ids.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <NumberLink to={`${pathOf(kind)}/${id}`}>{numbers?.get(id) ?? `another ${kind.one}`}</NumberLink>
        </Fragment>
      ))}
      {lines.length > 0 && `${ids.length > 0 ? ', and of ' : ''}line ${lines.join(', ')} of this file`}
    </div>
  )
}
