import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMoney } from '../../app/api/currencies.ts'
import { IconInbox } from '../../app/icons/icons.ts'
import { Notice } from '../../app/parts/notice.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { Day } from '../../app/parts/when.tsx'
import { type Column, DataTable, type Paging, type RowChoice } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { PartyName } from '../../books/documents/shown/parties.tsx'
import { type InboxSearch, inboxPath, invoicePath, type Tab, tabs } from '../carrier-invoices/paths.ts'
import { nameOf, type Row } from '../carrier-invoices/rows.ts'
import { badgeOf } from '../carrier-invoices/states.ts'

type InboxListProps = {
  search: InboxSearch
  rows: readonly Row[]
  current: string | null
  /** A record is shown next to the list. */
  isWide: boolean
  paging: Paging
  choosing: RowChoice<Row> | null
  waiting: boolean
}

export function InboxList({ search, rows, current, isWide, paging, choosing, waiting }: InboxListProps) {
  const money = useMoney()
  const columns: Column<Row>[] = [
    {
      label: 'Number',
      show: (row) => (
        <>
          <RowLink row={row} search={search} isWide={isWide} isCurrent={row.id === current} />
          <Text size="xs" c="dimmed">
            <PartyName party="carrier" id={(row.invoice ?? row.bill).partner_carrier_id} />
          </Text>
          {row.invoice && (row.invoice.is_disputed || row.invoice.state === 'approved') && (
            <StateBadge {...badgeOf(row.invoice)} />
          )}
        </>
      ),
    },
    {
      label: 'Amount',
      end: true,
      show: ({ invoice, bill }) => (
        <>
          {invoice
            ? money(invoice.approved_amount ?? invoice.total_amount, invoice.currency_id)
            : money(bill.amount_due, bill.currency_id)}
          <Text size="xs" c="dimmed">
            <Day at={invoice ? invoice.invoice_date : bill.due_date} />
          </Text>
        </>
      ),
    },
  ]
  return (
    <DataTable
      label={tabs[search.tab ?? 'received']}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      current={isWide ? current : null}
      paging={paging}
      waiting={waiting}
      {...(choosing && { choosing })}
    />
  )
}

type RowLinkProps = { row: Row; search: InboxSearch; isWide: boolean; isCurrent: boolean }

function RowLink({ row, search, isWide, isCurrent }: RowLinkProps) {
  const own = row.invoice ? invoicePath(row.id) : `/bills/${row.id}`
  const to = isWide ? { to: inboxPath, search: { ...search, open: row.id } } : { to: own }
  return (
    <Anchor
      size="sm"
      fw={600}
      {...rowLink}
      data-inbox-row={row.id}
      {...(isWide && isCurrent && { 'aria-current': 'true' as const })}
      renderRoot={(props) => <Link {...to} resetScroll={!isWide} activeProps={{}} {...props} />}
    >
      {nameOf(row)}
    </Anchor>
  )
}

const emptyWords: Record<Tab, string> = {
  received:
    'Every invoice that came has been matched with its manifest. New ones come by upload, e-mail, EDI, CSV or the API.',
  exceptions: 'No invoice differs from what was agreed by more than is tolerated.',
  approve: 'No invoice and no bill waits for approval.',
  pay: 'No bill is waiting to be paid.',
}

export function Nothing({ tab, isSearch }: { tab: Tab; isSearch: boolean }) {
  return (
    <Notice icon={IconInbox} title={isSearch ? 'Nothing found' : 'Nothing here'}>
      {isSearch
        ? 'Nothing in this list has that in its number, its reference number or the name of its carrier.'
        : emptyWords[tab]}
    </Notice>
  )
}
