import { NativeSelect } from '@mantine/core'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import type { Table } from './csv.ts'
import { type DayOrder, type FoundOrder, firstUnclear, readDate } from './dates.ts'
import type { Target } from './targets.ts'

type ColumnOfFile = { index: number; name: string; example: string }
type ColumnsTableProps = {
  targets: readonly Target[]
  table: Table
  chosen: readonly (string | null)[]
  change: (chosen: readonly (string | null)[]) => void
  /** What the dates of each column say about their order, and which one was chosen. */
  found: readonly FoundOrder[]
  orders: readonly (DayOrder | null)[]
  changeOrder: (index: number, order: DayOrder | null) => void
}

/** The columns of a file with their first value, and what each of them is. */
export function ColumnsTable({ targets, table, chosen, change, found, orders, changeOrder }: ColumnsTableProps) {
  const rows = table.header.map((name, index) => ({
    index,
    name,
    example: table.rows.find(({ cells }) => cells[index]?.trim())?.cells[index] ?? '',
  }))
  const choose = (index: number, key: string | null) => change(chosen.with(index, key))
  /** Two columns cannot be the same field. */
  const free = (index: number) => {
    const taken = chosen.flatMap((key, other) =>
      other === index ? [] : targets.filter((target) => target.key === key).map(({ column }) => column),
    )
    return targets.filter(({ column }) => !taken.includes(column)).map(({ key, label }) => ({ value: key, label }))
  }
  const columns: Column<ColumnOfFile>[] = [
    { label: 'Column in the file', show: ({ name }) => <b>{name}</b> },
    {
      label: 'First value',
      show: ({ example }) => (example.length > 60 ? `${example.slice(0, 60)}…` : example || '–'),
    },
    {
      label: 'Imported as',
      show: ({ index, name }) => (
        <>
          <NativeSelect
            size="xs"
            aria-label={`Import ${name} as`}
            data={[{ value: '', label: 'Not imported' }, ...free(index)]}
            value={chosen[index] ?? ''}
            onChange={(event) => choose(index, event.currentTarget.value || null)}
          />
          {found[index] && (
            <OrderSelect
              name={name}
              values={table.rows.map(({ cells }) => cells[index] ?? '')}
              order={orders[index] ?? null}
              change={(order) => changeOrder(index, order)}
            />
          )}
        </>
      ),
    },
  ]
  return <DataTable label="Columns of the file" columns={columns} rows={rows} keyOf={({ index }) => String(index)} />
}

type OrderSelectProps = {
  name: string
  values: readonly string[]
  order: DayOrder | null
  change: (order: DayOrder | null) => void
}

/** Which number of a date is the day. Where the values do not tell, it is asked with one of them. */
function OrderSelect({ name, values, order, change }: OrderSelectProps) {
  const unclear = firstUnclear(values)
  const words = (one: DayOrder) => {
    const read = unclear ? readDate(unclear, one) : null
    const day = read && 'cell' in read ? new Date(`${read.cell.slice(0, 10)}T00:00:00Z`) : null
    const said = day?.toLocaleDateString(undefined, { dateStyle: 'long', timeZone: 'UTC' })
    return `${one === 'day first' ? 'Day first' : 'Month first'}${said ? `: ${unclear} is ${said}` : ''}`
  }
  return (
    <NativeSelect
      size="xs"
      mt={4}
      aria-label={`Dates of ${name}`}
      error={order === null && 'Choose which comes first.'}
      data={[
        ...(order === null ? [{ value: '', label: 'Day or month first?' }] : []),
        { value: 'day first', label: words('day first') },
        { value: 'month first', label: words('month first') },
      ]}
      value={order ?? ''}
      onChange={(event) => change((event.currentTarget.value || null) as DayOrder | null)}
    />
  )
}
