import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { wordsFor } from '../api/problem.ts'
import { CarrierName } from '../billing/carriers.tsx'
import { DetailsPanel } from '../billing/details-panel.tsx'
import { Moves } from '../billing/moves.tsx'
import { DueDate, StatusBadge } from '../billing/status.tsx'
import { type Bill, nameOf as nameOfBill } from '../bills/bill.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Fact } from '../parts/fact.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { RowAction } from '../parts/row-action.tsx'
import { Day, When } from '../parts/when.tsx'
import { RecordPage } from '../shell/record-page.tsx'
import { AddBillsDialog } from './add-bills-dialog.tsx'
import { useBillColumns } from './bill-columns.tsx'
import { EditForm } from './edit-form.tsx'
import { Period } from './period.tsx'
import { type Statement, statementQuery, useMoveStatement, useRemoveBill } from './queries.ts'
import { types } from './search.ts'

const above = { label: 'Statements', to: '/statements' }
const nameOf = ({ number }: Statement) => number ?? 'Draft statement'

export function DetailPage() {
  const { statementId = '' } = useParams({ strict: false }) as { statementId?: string }
  return (
    <RecordPage title="Statement" above={above} query={statementQuery(statementId)}>
      {({ consolidated_bill, bills, pay_term }) => (
        <Known key={statementId} statement={consolidated_bill} bills={bills as Bill[]} payTerm={pay_term?.name ?? null} />
      )}
    </RecordPage>
  )
}

function Known({ statement, bills, payTerm }: { statement: Statement; bills: readonly Bill[]; payTerm: string | null }) {
  const [editing, setEditing] = useState(false)
  return (
    <Page
      title={nameOf(statement)}
      above={above}
      actions={<Actions statement={statement} />}
      lead={
        <Group component="span" gap="sm">
          <StatusBadge status={statement.status_id} />
          {statement.remit_to?.company_name ?? <CarrierName id={statement.partner_carrier_id} />}
        </Group>
      }
    >
      <Summary statement={statement} />
      <BillsPanel statement={statement} bills={bills} />
      {editing ? (
        <EditForm statement={statement} done={() => setEditing(false)} />
      ) : (
        <Details statement={statement} payTerm={payTerm} edit={() => setEditing(true)} />
      )}
    </Page>
  )
}

function Actions({ statement }: { statement: Statement }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const run = useMoveStatement(statement, () => navigate({ to: '/statements' }))
  const load = () => queryClient.fetchQuery({ ...statementQuery(statement.id), staleTime: 0 })
  return <Moves what="statement" name={nameOf(statement)} record={statement} run={run} load={load} />
}

function Summary({ statement }: { statement: Statement }) {
  const money = useMoney()
  return (
    <Panel>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }}>
        <Fact label="Total">
          <Text fw={650} size="lg" lh={1.2}>
            {money(statement.total_amount, statement.currency_id)}
          </Text>
        </Fact>
        <Fact label="Bills">{statement.bill_count}</Fact>
        <Fact label="Period">
          <Period {...statement} />
        </Fact>
        <Fact label="Due">
          <DueDate {...statement} />
        </Fact>
        <Fact label="Sent">
          <When at={statement.sent_at} never="Not yet" />
        </Fact>
        <Fact label="Paid">
          <When at={statement.paid_at} never="Not yet" />
        </Fact>
      </SimpleGrid>
    </Panel>
  )
}

function BillsPanel({ statement, bills }: { statement: Statement; bills: readonly Bill[] }) {
  const [adding, setAdding] = useState(false)
  const remove = useRemoveBill(statement)
  const columns = useBillColumns()
  const isOpen = statement.status_id !== 'paid'
  const takeOff = (bill: Bill) =>
    remove.mutate(bill.id, { onError: (error) => notifications.show({ title: 'Not taken off', message: wordsFor(error), color: 'red.9' }) })
  const actions: Column<Bill> = {
    label: 'Actions',
    end: true,
    show: (bill) => <RowAction icon={IconTrash} label="Take off" of={nameOfBill(bill)} onClick={() => !remove.isPending && takeOff(bill)} />,
  }
  return (
    <Panel title="Bills">
      {bills.length > 0 ? (
        <DataTable label="Bills" columns={isOpen ? [...columns, actions] : columns} rows={bills} keyOf={({ id }) => id} waiting={remove.isPending} />
      ) : (
        <Text size="sm" c="dimmed">
          No bills on it. It needs one before it can be saved.
        </Text>
      )}
      {isOpen && (
        <Button mt="md" variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Add bills
        </Button>
      )}
      {adding && <AddBillsDialog statement={statement} close={() => setAdding(false)} />}
    </Panel>
  )
}

function Details({ statement, payTerm, edit }: { statement: Statement; payTerm: string | null; edit: () => void }) {
  return (
    <DetailsPanel record={statement} edit={edit}>
      <Fact label="Kind">{types[statement.consolidated_bill_type_id]}</Fact>
      <Fact label="Reference number">{statement.reference_number ?? '–'}</Fact>
      <Fact label="Pay term">{payTerm ?? '–'}</Fact>
      <Fact label="Statement date">
        <Day at={statement.bill_date} />
      </Fact>
    </DetailsPanel>
  )
}
