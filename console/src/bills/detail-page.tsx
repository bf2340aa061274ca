import { Anchor, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { CarrierName } from '../billing/carriers.tsx'
import { DetailsPanel } from '../billing/details-panel.tsx'
import { Moves } from '../billing/moves.tsx'
import { DueDate, StatusBadge } from '../billing/status.tsx'
import { Fact } from '../parts/fact.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Day, When } from '../parts/when.tsx'
import { RecordPage } from '../shell/record-page.tsx'
import { statementQuery } from '../statements/queries.ts'
import { type Bill, nameOf, payeeOf } from './bill.ts'
import { EditForm } from './edit-form.tsx'
import { History } from './history.tsx'
import { LinesPanel } from './lines-panel.tsx'
import { billQuery, useMoveBill } from './queries.ts'

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

function Known({ bill, bill_items, pay_term, currency_info }: Whole) {
  const [editing, setEditing] = useState(false)
  return (
    <Page title={nameOf(bill)} lead={<Lead bill={bill} />} above={above} actions={<Actions bill={bill} />}>
      <Summary bill={bill} payTerm={pay_term?.name ?? null} />
      <LinesPanel bill={bill} items={bill_items} currency={currency_info ?? undefined} />
      {editing ? (
        <EditForm bill={bill} hasLines={bill_items.length > 0} currency={currency_info ?? undefined} done={() => setEditing(false)} />
      ) : (
        <Details bill={bill} edit={() => setEditing(true)} />
      )}
      <History billId={bill.id} />
    </Page>
  )
}

function Lead({ bill }: { bill: Bill }) {
  return (
    <Group component="span" gap="sm">
      <StatusBadge status={bill.status_id} />
      {payeeOf(bill) ?? 'No payee yet'}
      {bill.consolidated_bill_id && <OnStatement id={bill.consolidated_bill_id} />}
    </Group>
  )
}

function OnStatement({ id }: { id: string }) {
  const { data } = useQuery(statementQuery(id))
  return <Anchor renderRoot={(props) => <Link to={`/statements/${id}`} {...props} />}>On {data?.consolidated_bill.number ?? 'a statement'}</Anchor>
}

function Actions({ bill }: { bill: Bill }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const run = useMoveBill(bill, () => navigate({ to: '/bills' }))
  const load = () => queryClient.fetchQuery({ ...billQuery(bill.id), staleTime: 0 })
  return <Moves what="bill" name={nameOf(bill)} record={bill} run={run} load={load} />
}

function Summary({ bill, payTerm }: { bill: Bill; payTerm: string | null }) {
  const money = useMoney()
  return (
    <Panel>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }}>
        <Fact label="Total">
          <Text fw={650} size="lg" lh={1.2}>
            {money(bill.total_amount, bill.currency_id)}
          </Text>
        </Fact>
        <Fact label="Due">
          <DueDate {...bill} />
        </Fact>
        <Fact label="Bill date">
          <Day at={bill.bill_date} />
        </Fact>
        <Fact label="Pay term">{payTerm ?? '–'}</Fact>
        <Fact label="Sent">
          <When at={bill.sent_at} never="Not yet" />
        </Fact>
        <Fact label="Paid">
          <When at={bill.paid_at} never="Not yet" />
        </Fact>
      </SimpleGrid>
    </Panel>
  )
}

function Details({ bill, edit }: { bill: Bill; edit: () => void }) {
  const more = (
    <>
      {bill.external_id && <Fact label="External id">{bill.external_id}</Fact>}
      {bill.qb_error_msg && <Fact label="The accounting package says">{bill.qb_error_msg}</Fact>}
    </>
  )
  return (
    <DetailsPanel record={bill} more={more} edit={edit}>
      <Fact label="Carrier">
        <CarrierName id={bill.partner_carrier_id} />
      </Fact>
      <Fact label="Reference number">{bill.reference_number ?? '–'}</Fact>
      <Fact label="Currency">{bill.currency_id?.toUpperCase() ?? 'None yet: it needs one before it can be saved'}</Fact>
    </DetailsPanel>
  )
}
