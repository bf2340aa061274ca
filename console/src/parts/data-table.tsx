import { Checkbox, Group, Pagination, Paper, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'

export type Column<Row> = {
  label: string
  show: (row: Row) => ReactNode
  end?: boolean
  /** The API's name for the order by this column. */
  sort?: string
}

type DataTableProps<Row> = {
  /** What the rows are, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  paging?: Paging
  sorting?: Sorting
  choosing?: Choosing<Row>
  /** The rows are those of the previous search; the new ones are being loaded. */
  waiting?: boolean
}

export type Paging = { offset: number; limit: number; total: number; onPage: (page: number) => void }
/** As in the API: a name, with a minus in front for descending. */
export type Sorting = { sort: string; onSort: (sort: string) => void }
export type Choosing<Row> = { chosen: ReadonlyMap<string, Row>; onChoose: (chosen: ReadonlyMap<string, Row>) => void; nameOf: (row: Row) => string }

/** Rows and columns; on a narrow screen each row is a card. Roles are given explicitly, because a table that is laid out as blocks loses them. */
export function DataTable<Row>({ label, columns, rows, keyOf, paging, sorting, choosing, waiting = false }: DataTableProps<Row>) {
  return (
    <>
      <Paper withBorder className={styles.frame ?? ''}>
        {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
        <table className={styles.table} aria-label={label} role="table" aria-busy={waiting} data-waiting={waiting || undefined}>
          <thead role="rowgroup">
            <tr role="row">
              {choosing && (
                <th scope="col" role="columnheader" className={styles.choose}>
                  <ChooseAll rows={rows} keyOf={keyOf} {...choosing} />
                </th>
              )}
              {columns.map((column) => (
                <Head key={column.label} column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr key={keyOf(row)} role="row">
                {choosing && (
                  <td role="cell" className={styles.choose}>
                    <Choose row={row} id={keyOf(row)} {...choosing} />
                  </td>
                )}
                {columns.map(({ label, show, end }) => (
                  <td key={label} role="cell" data-label={label} className={end ? styles.end : undefined}>
                    <div>{show(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      </Paper>
      {paging && paging.total > paging.limit && <Pages {...paging} />}
    </>
  )
}

// biome-ignore-start lint/a11y/noRedundantRoles: see above
function Head<Row>({ column: { label, end, sort }, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const className = end ? styles.end : undefined
  if (!sort || !sorting) {
    return (
      <th scope="col" role="columnheader" className={className}>
        {label}
      </th>
    )
  }
  const [descending, ascending] = [sorting.sort === `-${sort}`, sorting.sort === sort]
  const Icon = descending ? IconArrowDown : ascending ? IconArrowUp : IconArrowsSort
  return (
    <th scope="col" role="columnheader" className={className} aria-sort={descending ? 'descending' : ascending ? 'ascending' : 'none'}>
      <UnstyledButton className={styles.sort ?? ''} onClick={() => sorting.onSort(descending ? sort : `-${sort}`)}>
        {label} <Icon size={14} aria-hidden data-on={descending || ascending || undefined} />
      </UnstyledButton>
    </th>
  )
}

// biome-ignore-end lint/a11y/noRedundantRoles: see above

function ChooseAll<Row>({ rows, keyOf, chosen, onChoose }: Choosing<Row> & { rows: readonly Row[]; keyOf: (row: Row) => string }) {
  const here = rows.filter((row) => chosen.has(keyOf(row))).length
  const all = rows.length > 0 && here === rows.length
  const toggle = () => {
    const next = new Map(chosen)
    for (const row of rows) all ? next.delete(keyOf(row)) : next.set(keyOf(row), row)
    onChoose(next)
  }
  return <Checkbox size="xs" aria-label="Select all on this page" checked={all} indeterminate={here > 0 && !all} onChange={toggle} />
}

function Choose<Row>({ row, id, chosen, onChoose, nameOf }: Choosing<Row> & { row: Row; id: string }) {
  const toggle = () => {
    const next = new Map(chosen)
    if (!next.delete(id)) next.set(id, row)
    onChoose(next)
  }
  return <Checkbox size="xs" aria-label={`Select ${nameOf(row)}`} checked={chosen.has(id)} onChange={toggle} />
}

function Pages({ offset, limit, total, onPage }: Paging) {
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed">
        {(offset + 1).toLocaleString()} to {Math.min(offset + limit, total).toLocaleString()} of {total.toLocaleString()}
      </Text>
      <Pagination
        total={Math.ceil(total / limit)}
        value={Math.floor(offset / limit) + 1}
        onChange={onPage}
        getControlProps={(control) => ({ 'aria-label': { first: 'First page', last: 'Last page', next: 'Next page', previous: 'Previous page' }[control] })}
        getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
      />
    </Group>
  )
}

/** A placeholder of the size of a table. */
export function TableSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <Paper withBorder p="md" role="status" aria-label="Loading" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all equal
        <Skeleton key={row} height={22} my="md" />
      ))}
    </Paper>
  )
}
