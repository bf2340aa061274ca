import { Anchor, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CarrierAndPayee } from '../billing/carriers.tsx'
import { DetailsPanel, Summary } from '../billing/documents/details.tsx'
import { EditForm } from '../billing/documents/edit-form.tsx'
import { History } from '../billing/documents/history.tsx'
import { Moves } from '../billing/moves.tsx'
import { StatementNumber } from '../billing/statement-number.tsx'
import { StatusBadge } from '../billing/status.tsx'
import { nameQuery } from '../objects/names.ts'
import { Page } from '../parts/page.tsx'
import { RecordPage } from '../shell/record-page.tsx'
import { type Bill, type BillItem, nameOf } from './bill.ts'
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
    <Page sticky title={nameOf(bill)} lead={<Lead bill={bill} items={bill_items} />} above={above} actions={<Actions bill={bill} />}>
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

/** The state, the payee, and links to what the bill belongs to. */
function Lead({ bill, items }: { bill: Bill; items: readonly BillItem[] }) {
  const manifests = [...new Set([...items.map(({ manifest_id }) => manifest_id), bill.master_trip_id].filter((id) => id !== null))]
  return (
    <Group gap="sm">
      <StatusBadge status={bill.status_id} />
      <CarrierAndPayee document={bill} />
      {manifests.map((id) => (
        <ManifestLink key={id} id={id} />
      ))}
      {bill.consolidated_bill_id && (
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={`/statements/${bill.consolidated_bill_id}`} {...props} />}>
          On <StatementNumber id={bill.consolidated_bill_id} />
        </Anchor>
      )}
    </Group>
  )
}

/** A trip may be kept elsewhere; then there is no manifest to open. */
function ManifestLink({ id }: { id: string }) {
  const { data } = useQuery(nameQuery('manifest', id))
  if (!data) return null
  return (
    <span>
      Manifest{' '}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={`/objects/manifest/${id}`} {...props} />}>
        {data.fullId}
      </Anchor>
    </span>
  )
}

function Actions({ bill }: { bill: Bill }) {
  const navigate = useNavigate()
  const run = useMoveBill(bill, () => navigate({ to: '/bills' }))
  return <Moves what="bill" name={nameOf(bill)} record={bill} run={run} load={useLoadBill(bill.id)} />
}
