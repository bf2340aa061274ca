import { Checkbox, Group, NativeSelect, Pagination, Paper, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '../icons/icons.ts'
import styles from './data-table.module.css'
import { keepMiddleClick, openRow } from './open-row.ts'
import { pageSizes } from './page-size.ts'

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
  choosing?: RowChoice<Row>
  /** The key of the row whose record is shown next to the table. */
  current?: string | null
  /** The rows are those of the previous search; the new ones are being loaded. Nobody means the old ones by choosing some, or all. */
  waiting?: boolean
  /** The head stays in view while the page is scrolled: for the list that a page is about. */
  sticky?: boolean
}

/** With `onSize`, the number of rows on a page can be chosen. */
export type Paging = {
  offset: number
  limit: number
  total: number
  onPage: (page: number) => void
  onSize?: (size: number) => void
}
/** As in the API: a name, with a minus in front for descending. */
export type Sorting = { sort: string; onSort: (sort: string) => void }
export type RowChoice<Row> = {
  chosen: ReadonlyMap<string, Row>
  onChoose: (chosen: ReadonlyMap<string, Row>) => void
  nameOf: (row: Row) => string
}

/**
 * Rows and columns; on a narrow screen each row is a card. A click in a row opens the record whose link has `rowLink`. Roles are given explicitly,
 * because a table that is laid out as blocks loses them.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  paging,
  sorting,
  choosing,
  current = null,
  waiting = false,
  sticky = false,
}: DataTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const isWide = useIsWide(frame, sticky)
  return (
    <>
      <Paper ref={frame} withBorder className={styles.frame ?? ''} data-sticky={(sticky && !isWide) || undefined}>
        {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
        {/* biome-ignore-start lint/a11y/useKeyWithClickEvents: each row has a link that the keyboard reaches */}
        <table
          className={styles.table}
          aria-label={label}
          role="table"
          aria-busy={waiting}
          data-waiting={waiting || undefined}
        >
          <thead role="rowgroup">
            <tr role="row">
              {choosing && (
                <th scope="col" role="columnheader" className={styles.choose}>
                  <ChooseAll rows={rows} keyOf={keyOf} disabled={waiting} {...choosing} />
                </th>
              )}
              {columns.map((column) => (
                <Head key={column.label} column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr
                key={keyOf(row)}
                role="row"
                onClick={openRow}
                onAuxClick={openRow}
                onMouseDown={keepMiddleClick}
                data-chosen={choosing?.chosen.has(keyOf(row)) || undefined}
                data-current={keyOf(row) === current || undefined}
              >
                {choosing && (
                  <td role="cell" className={styles.choose} data-own-clicks>
                    <Choose row={row} id={keyOf(row)} disabled={waiting} {...choosing} />
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
        {/* biome-ignore-end lint/a11y/useKeyWithClickEvents: see above */}
        {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      </Paper>
      {paging && (paging.total > paging.limit || (paging.onSize && paging.total > pageSizes[0])) && (
        <Pages {...paging} />
      )}
    </>
  )
}

/** Whether the table is wider than its frame and has to scroll sideways: then its head cannot stay in view as well. */
function useIsWide(frame: RefObject<HTMLDivElement | null>, wanted: boolean): boolean {
  const [isWide, setIsWide] = useState(false)
  useEffect(() => {
    const [outer, table] = [frame.current, frame.current?.querySelector('table')]
    if (!wanted || !outer || !table) return
    const observer = new ResizeObserver(() => setIsWide(table.offsetWidth > outer.clientWidth + 1))
    observer.observe(outer)
    observer.observe(table)
    return () => observer.disconnect()
  }, [frame, wanted])
  return isWide
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
    <th
      scope="col"
      role="columnheader"
      className={className}
      aria-sort={descending ? 'descending' : ascending ? 'ascending' : 'none'}
    >
      <UnstyledButton className={styles.sort ?? ''} onClick={() => sorting.onSort(descending ? sort : `-${sort}`)}>
        {label} <Icon size={14} aria-hidden data-on={descending || ascending || undefined} />
      </UnstyledButton>
    </th>
  )
}

// biome-ignore-end lint/a11y/noRedundantRoles: see above

function ChooseAll<Row>({
  rows,
  keyOf,
  disabled,
  chosen,
  onChoose,
}: RowChoice<Row> & { rows: readonly Row[]; keyOf: (row: Row) => string; disabled: boolean }) {
  const here = rows.filter((row) => chosen.has(keyOf(row))).length
  const all = rows.length > 0 && here === rows.length
  const toggle = () => {
    const next = new Map(chosen)
    for (const row of rows) all ? next.delete(keyOf(row)) : next.set(keyOf(row), row)
    onChoose(next)
  }
  return (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      disabled={disabled}
      checked={all}
      indeterminate={here > 0 && !all}
      onChange={toggle}
    />
  )
}

function Choose<Row>({
  row,
  id,
  disabled,
  chosen,
  onChoose,
  nameOf,
}: RowChoice<Row> & { row: Row; id: string; disabled: boolean }) {
  const toggle = () => {
    const next = new Map(chosen)
    if (!next.delete(id)) next.set(id, row)
    onChoose(next)
  }
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${nameOf(row)}`}
      disabled={disabled}
      checked={chosen.has(id)}
      onChange={toggle}
    />
  )
}

function Pages({ offset, limit, total, onPage, onSize }: Paging) {
  return (
    <Group justify="space-between" mt="sm">
      <Group gap="md">
        <Text size="sm" c="dimmed">
          {(offset + 1).toLocaleString()} to {Math.min(offset + limit, total).toLocaleString()} of{' '}
          {total.toLocaleString()}
        </Text>
        {onSize && (
          <NativeSelect
            size="xs"
            w="auto"
            aria-label="Rows on a page"
            data={pageSizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
            value={String(limit)}
            onChange={(event) => onSize(Number(event.currentTarget.value))}
          />
        )}
      </Group>
      <Pagination
        size="sm"
        total={Math.ceil(total / limit)}
        value={Math.floor(offset / limit) + 1}
        onChange={onPage}
        getControlProps={(control) => ({
          'aria-label': { first: 'First page', last: 'Last page', next: 'Next page', previous: 'Previous page' }[
            control
          ],
        })}
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
