import { Button, Group, Paper, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconFileInvoice, IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMoney } from '../api/currencies.ts'
import { wordsFor } from '../api/problem.ts'
import { columnsOf } from '../billing/documents/columns.tsx'
import { DocumentList } from '../billing/documents/list-page.tsx'
import type { Search } from '../billing/documents/search.ts'
import { today } from '../parts/dates.ts'
import { sumOf } from '../parts/money.ts'
import { saveFile } from '../parts/save-file.ts'
import { type Bill, nameOf } from './bill.ts'
import { billFields, billList } from './fields.ts'
import { billsQuery, useExport, useTotals } from './queries.ts'

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
          <ExportButton search={search} />
          <NewButton />
        </>
      }
      newButton={<NewButton />}
      emptyText="A bill lists what you owe to a carrier. Create the first one here, or import bills with the API."
      noMatchText="No bill matches the state and the filters above. Enter the whole reference number; upper and lower case do not matter."
      selected={{ nameOf, show: (bills, clear) => <Selected bills={bills} clear={clear} /> }}
    />
  )
}

/** The selected bills, also those on other pages of the list, with their sum in every currency. */
function Selected({ bills, clear }: { bills: readonly Bill[]; clear: () => void }) {
  const money = useMoney()
  const byCurrency = Map.groupBy(
    bills.filter(({ currency_id }) => currency_id),
    ({ currency_id }) => currency_id as string,
  )
  const sums = [...byCurrency].map(([currency, some]) => money(sumOf(some.map(({ total_amount }) => total_amount)), currency))
  return (
    <Paper withBorder p="sm" mb="md" component="section" aria-label="Selected bills">
      <Group justify="space-between">
        <Text size="sm" aria-live="polite">
          <b>{bills.length} selected</b>
          {sums.length > 0 && ` · ${sums.join(' + ')}`}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={clear}>
            Clear selection
          </Button>
          <Button
            size="xs"
            leftSection={<IconStack2 size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/statements/new" search={{ bills: bills.map(({ id }) => id).join(',') }} {...props} />}
          >
            Create a statement
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

function ExportButton({ search }: { search: Search }) {
  const download = useExport()
  const run = () =>
    download.mutate(search, {
      onSuccess: (file) => saveFile(file, `bills-${today()}.csv`),
      onError: (error) => notifications.show({ title: 'Could not export the bills', message: wordsFor(error), color: 'red.9' }),
    })
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={run} loading={download.isPending}>
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
