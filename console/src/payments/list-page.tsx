import { Button } from '@mantine/core'
import { IconCash, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { columnsOf } from '../billing/documents/columns.tsx'
import { DocumentList } from '../billing/documents/list-page.tsx'
import type { Search } from '../billing/documents/search.ts'
import { paymentFields, paymentList } from './fields.ts'
import { PayerOrPayee } from './party.tsx'
import { type Payment, paymentsQuery, useTotals } from './queries.ts'

const [number, direction, ...others] = columnsOf<Payment>(paymentFields, {
  path: '/payments',
  nameOf: ({ number }) => number ?? 'Draft',
  sorts: paymentList.sorts,
})
const columns = [
  number,
  direction,
  { label: 'Paid to or by', show: (payment: Payment) => <PayerOrPayee payment={payment} /> },
  ...others,
].filter((one) => one !== undefined)

export function ListPage() {
  const search = useSearch({ strict: false }) as Search
  const { may } = useMe()
  return (
    <DocumentList
      list={paymentList}
      title="Payments"
      lead="Money that was paid to carriers or received from customers, and what it settles."
      icon={IconCash}
      columns={columns}
      totals={useTotals(search)}
      result={useQuery(paymentsQuery(search))}
      actions={may('pay') && <NewButton />}
      newButton={may('pay') && <NewButton />}
      emptyText="A payment settles one document or many. Paying a bill or an invoice records one as well."
      noMatchText="No payment matches the state and the filters above."
    />
  )
}

function NewButton() {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/payments/new" {...props} />}
    >
      Record a payment
    </Button>
  )
}
