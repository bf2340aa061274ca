import { Anchor, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { payeeOf } from '../billing/address.ts'
import { DetailsPanel, Summary } from '../billing/documents/details.tsx'
import { EditForm } from '../billing/documents/edit-form.tsx'
import { History } from '../billing/documents/history.tsx'
import { Moves } from '../billing/moves.tsx'
import { StatementNumber } from '../billing/statement-number.tsx'
import { StatusBadge } from '../billing/status.tsx'
import { Page } from '../parts/page.tsx'
import { RecordPage } from '../shell/record-page.tsx'
import { type Bill, nameOf } from './bill.ts'
import { billFields } from './fields.ts'
import { LinesPanel } from './lines-panel.tsx'
import { billQuery, historyQuery, useMoveBill, useUpdateBill } from './queries.ts'

const above = { label: 'Bills', to: '/bills' }

export function DetailPage() {
  const { billId = '' } = useParams({ strict: false }) as { billId?: string }
  return (
    <RecordPage title="Bill" above={above} query={billQuery(billId)}>
      {(whole) => <Known key={billId} {...whole} />}
    </RecordPage>
  )
}

type Whole = Awaited<ReturnType<NonNullable<ReturnType<typeof billQuery>['queryFn']>>>

function Known({ bill, bill_items, currency_info }: Whole) {
  const [editing, setEditing] = useState(false)
  const load = useLoadBill(bill.id)
  const { mutateAsync: update } = useUpdateBill(bill.id)
  const done = () => setEditing(false)
  return (
    <Page title={nameOf(bill)} lead={<Lead bill={bill} />} above={above} actions={<Actions bill={bill} />}>
      <Summary fields={billFields} record={bill} />
      <LinesPanel bill={bill} items={bill_items} currency={currency_info ?? undefined} />
      {editing ? (
        <EditForm what="bill" fields={billFields} record={bill} hasLines={bill_items.length > 0} load={load} update={update} done={done} />
      ) : (
        <DetailsPanel fields={billFields} record={bill} edit={() => setEditing(true)} />
      )}
      <History fields={billFields} query={(limit) => historyQuery(bill.id, limit)} />
    </Page>
  )
}

function useLoadBill(id: string): () => Promise<Bill> {
  const queryClient = useQueryClient()
  return async () => (await queryClient.fetchQuery({ ...billQuery(id), staleTime: 0 })).bill
}

function Lead({ bill }: { bill: Bill }) {
  return (
    <Group component="span" gap="sm">
      <StatusBadge status={bill.status_id} />
      {payeeOf(bill) ?? 'No payee yet'}
      {bill.consolidated_bill_id && (
        <Anchor renderRoot={(props) => <Link to={`/statements/${bill.consolidated_bill_id}`} {...props} />}>
          On <StatementNumber id={bill.consolidated_bill_id} />
        </Anchor>
      )}
    </Group>
  )
}

function Actions({ bill }: { bill: Bill }) {
  const navigate = useNavigate()
  const run = useMoveBill(bill, () => navigate({ to: '/bills' }))
  return <Moves what="bill" name={nameOf(bill)} record={bill} run={run} load={useLoadBill(bill.id)} />
}
