import { Group, Pagination, Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'

export type Column<Row> = { label: string; show: (row: Row) => ReactNode; end?: boolean }

type DataTableProps<Row> = {
  /** What the rows are, for those who do not see them. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  paging?: Paging
}

export type Paging = { offset: number; limit: number; total: number; onPage: (page: number) => void }

/** Rows and columns; on a narrow screen each row is a card of its own. Roles are spelled out, because a table that is laid out as blocks loses them. */
export function DataTable<Row>({ label, columns, rows, keyOf, paging }: DataTableProps<Row>) {
  return (
    <>
      <Paper withBorder className={styles.frame ?? ''}>
        {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
        <table className={styles.table} aria-label={label} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ label, end }) => (
                <th key={label} scope="col" role="columnheader" className={end ? styles.end : undefined}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr key={keyOf(row)} role="row">
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

function Pages({ offset, limit, total, onPage }: Paging) {
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed">
        {offset + 1} to {Math.min(offset + limit, total)} of {total}
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

/** Where a table will be, in its size. */
export function TableSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <Paper withBorder p="md" role="status" aria-label="Loading" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} height={22} my="md" />
      ))}
    </Paper>
  )
}
