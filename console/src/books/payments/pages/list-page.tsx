import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMe } from '../../../app/api/me.ts'
import { IconCash, IconPlus } from '../../../app/icons/icons.ts'
import { DocumentList } from '../../documents/list/list-page.tsx'
import type { Search } from '../../documents/search.ts'
import { columnsOf } from '../../documents/shown/columns.tsx'
import { paymentFields, paymentList } from '../fields.ts'
import { type Payment, paymentsQuery, useTotals } from '../queries.ts'
import { PayerOrPayee } from './party.tsx'

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
