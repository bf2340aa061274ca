import { NativeSelect } from '@mantine/core'
import { type Column, DataTable } from '../../../parts/data-table.tsx'
import type { Table } from './csv.ts'
import type { Target } from './targets.ts'

type ColumnOfFile = { index: number; name: string; example: string }
type ColumnsTableProps = {
  targets: readonly Target[]
  table: Table
  chosen: readonly (string | null)[]
  change: (chosen: readonly (string | null)[]) => void
}

/** The columns of a file with their first value, and what each of them is. */
export function ColumnsTable({ targets, table, chosen, change }: ColumnsTableProps) {
  const rows = table.header.map((name, index) => ({ index, name, example: table.rows.find(({ cells }) => cells[index]?.trim())?.cells[index] ?? '' }))
  const choose = (index: number, key: string | null) => change(chosen.with(index, key))
  /** Two columns cannot be the same field. */
  const free = (index: number) => {
    const taken = chosen.flatMap((key, other) => (other === index ? [] : targets.filter((target) => target.key === key).map(({ column }) => column)))
    return targets.filter(({ column }) => !taken.includes(column)).map(({ key, label }) => ({ value: key, label }))
  }
  const columns: Column<ColumnOfFile>[] = [
    { label: 'Column in the file', show: ({ name }) => <b>{name}</b> },
    { label: 'First value', show: ({ example }) => (example.length > 60 ? `${example.slice(0, 60)}…` : example || '–') },
    {
      label: 'Imported as',
      show: ({ index, name }) => (
        <NativeSelect
          size="xs"
          aria-label={`Import ${name} as`}
          data={[{ value: '', label: 'Not imported' }, ...free(index)]}
          value={chosen[index] ?? ''}
          onChange={(event) => choose(index, event.currentTarget.value || null)}
        />
      ),
    },
  ]
  return <DataTable label="Columns of the file" columns={columns} rows={rows} keyOf={({ index }) => String(index)} />
}
