import { Button } from '@mantine/core'
import { IconDownload, IconFileInvoice, IconPlus, IconUpload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { columnsOf } from '../billing/documents/columns.tsx'
import { DocumentList } from '../billing/documents/list-page.tsx'
import type { Search } from '../billing/documents/search.ts'
import { today } from '../parts/dates.ts'
import { useExport } from '../transfers/use-export.ts'
import { type Bill, nameOf } from './bill.ts'
import { billFields, billList } from './fields.ts'
import { billQuery, billsQuery, exportBills, startBillsExport, useTotals } from './queries.ts'
import { Selected } from './selected.tsx'

const columns = columnsOf<Bill>(billFields, { path: '/bills', nameOf: ({ number }) => number ?? 'Draft', sorts: billList.sorts })

export function ListPage() {
  const search = useSearch({ strict: false }) as Search
  return (
    <DocumentList
      list={billList}
      title="Bills"
      lead="What you owe to carriers and partners, from draft to payment."
      icon={IconFileInvoice}
      columns={columns}
      totals={useTotals(search)}
      result={useQuery(billsQuery(search))}
      actions={
        <>
          <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} renderRoot={(props) => <Link to="/bills/import" {...props} />}>
            Import CSV
          </Button>
          <ExportButton search={search} />
          <NewButton />
        </>
      }
      newButton={<NewButton />}
      emptyText="A bill lists what you owe to a carrier. Create the first one here, or import a CSV file."
      noMatchText="No bill matches the state and the filters above. Each word of the search must be in the number, the reference or the name of the payee."
      selected={{ nameOf, now: useNewest(), show: (bills, keep) => <Selected bills={bills} keep={keep} /> }}
    />
  )
}

/** A bill that was opened after it was selected may have changed since. */
function useNewest(): (bill: Bill) => Bill {
  const queryClient = useQueryClient()
  return (bill) => {
    const known = queryClient.getQueryData(billQuery(bill.id).queryKey)?.bill
    return known && known.revision > bill.revision ? known : bill
  }
}

function ExportButton({ search }: { search: Search }) {
  const { mutate, isPending } = useExport({
    what: 'the bills',
    fileName: `bills-${today()}.csv`,
    read: () => exportBills(search),
    start: () => startBillsExport(search),
  })
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => mutate()} loading={isPending}>
      Export CSV
    </Button>
  )
}

function NewButton() {
  return (
    <Button leftSection={<IconPlus size={18} aria-hidden />} renderRoot={(props) => <Link to="/bills/new" {...props} />}>
      New bill
    </Button>
  )
}
