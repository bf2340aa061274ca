import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../app/api/currencies.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { Day } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { ApprovalPanel } from '../../books/approvals/approval-panel.tsx'
import type { Bill } from '../../books/bills/bill.ts'
import { bills } from '../../books/bills/kind.ts'
import type { Item } from '../../books/documents/document.ts'
import { documentQuery } from '../../books/documents/queries.ts'
import { CarrierAndPayee } from '../../books/documents/shown/parties.tsx'
import { DocumentPane } from '../carrier-invoices/record/document-pane.tsx'
import { Halves } from '../carrier-invoices/record/invoice-record.tsx'
import { CarrierInvoiceLink } from './carrier-invoice-link.tsx'

/** A bill in the inbox: how its approval stands, what it is for, and its documents. Everything else is on its own page. */
export function BillRecord({ bill }: { bill: Bill }) {
  const money = useMoney()
  const { data, error, refetch } = useQuery(documentQuery(bills, bill.id))
  const columns: Column<Item>[] = [
    { label: 'Line', show: ({ description, bill_item_type }) => description ?? bill_item_type?.name ?? '–' },
    { label: 'Amount', end: true, show: ({ total_amount }) => money(total_amount, bill.currency_id) },
  ]
  return (
    <Halves documents={<DocumentPane record={{ type: 'bill', id: bill.id }} />}>
      <ApprovalPanel bill={bill} />
      <Panel title="Details">
        <SimpleGrid cols={2} spacing="sm">
          <Fact label="Payee">
            <CarrierAndPayee document={bill} />
          </Fact>
          <Fact label="Reference number">{bill.reference_number ?? '–'}</Fact>
          <Fact label="Due">
            <Day at={bill.due_date} />
          </Fact>
          <Fact label="Open amount">{money(bill.amount_due, bill.currency_id)}</Fact>
          <CarrierInvoiceLink bill={bill} as="fact" />
        </SimpleGrid>
      </Panel>
      <Panel title="Lines">
        {error && <Failed error={error} what="the lines" retry={() => void refetch()} />}
        {!data && !error && <TableSkeleton rows={2} />}
        {data && <DataTable label="Lines" columns={columns} rows={data.items} keyOf={({ id }) => id} />}
      </Panel>
    </Halves>
  )
}
