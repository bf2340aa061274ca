import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { wordsFor } from '../../../app/api/problem.ts'
import { DocumentsPanel } from '../../../app/files/documents-panel.tsx'
import { IconPlus, IconTrash } from '../../../app/icons/icons.ts'
import { MailsPanel } from '../../../app/mail/mails-panel.tsx'
import { PdfButton } from '../../../app/mail/pdf-button.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { RecordPage } from '../../../app/parts/record-page.tsx'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { RowAction } from '../../../app/table/row-action.tsx'
import { type Bill, nameOf as nameOfBill } from '../../bills/bill.ts'
import { Moves } from '../../documents/moves/moves.tsx'
import { EditForm } from '../../documents/page/edit-form.tsx'
import { DetailsPanel, Summary } from '../../documents/shown/details.tsx'
import { History } from '../../documents/shown/history.tsx'
import { CarrierAndPayee } from '../../documents/shown/parties.tsx'
import { StatusBadge } from '../../documents/shown/status.tsx'
import { type Statement, statementFields } from '../fields.ts'
import { historyQuery, statementQuery, useMoveStatement, useRemoveBill, useUpdateStatement } from '../queries.ts'
import { AddBillsDialog } from './add-bills-dialog.tsx'
import { billColumns } from './bill-columns.ts'

const above = { label: 'Statements', to: '/statements' }
const nameOf = ({ number }: Statement) => number ?? 'Draft statement'
const pdfOf = ({ id, revision }: Statement) => ({ path: `consolidated_bills/${id}`, revision })

export function DetailPage() {
  const { statementId = '' } = useParams({ strict: false }) as { statementId?: string }
  return (
    <RecordPage title="Statement" above={above} query={statementQuery(statementId)}>
      {({ consolidated_bill, bills }) => (
        <Known key={statementId} statement={consolidated_bill} bills={bills as Bill[]} />
      )}
    </RecordPage>
  )
}

function Known({ statement, bills }: { statement: Statement; bills: readonly Bill[] }) {
  const [editing, setEditing] = useState(false)
  const load = useLoadStatement(statement.id)
  const { mutateAsync: update } = useUpdateStatement(statement.id)
  const done = () => setEditing(false)
  return (
    <Page
      sticky
      title={nameOf(statement)}
      above={above}
      actions={
        <>
          <PdfButton pdf={pdfOf(statement)} name={nameOf(statement)} />
          <Actions statement={statement} />
        </>
      }
      lead={
        <Group component="span" gap="sm">
          <StatusBadge status={statement.status_id} isVoided={statement.voided_at !== null} />
          <CarrierAndPayee document={statement} />
        </Group>
      }
    >
      <Summary fields={statementFields} record={statement} />
      <BillsPanel statement={statement} bills={bills} />
      {editing ? (
        <EditForm
          what="statement"
          fields={statementFields}
          record={statement}
          columns={4}
          load={load}
          update={update}
          done={done}
        />
      ) : (
        <DetailsPanel fields={statementFields} record={statement} edit={() => setEditing(true)} />
      )}
      <DocumentsPanel record={{ type: 'consolidated_bill', id: statement.id }} />
      <MailsPanel type="consolidated_bill" id={statement.id} />
      <History fields={statementFields} query={(limit) => historyQuery(statement.id, limit)} />
    </Page>
  )
}

function useLoadStatement(id: string): () => Promise<Statement> {
  const queryClient = useQueryClient()
  return async () => (await queryClient.fetchQuery({ ...statementQuery(id), staleTime: 0 })).consolidated_bill
}

function Actions({ statement }: { statement: Statement }) {
  const navigate = useNavigate()
  const run = useMoveStatement(statement, () => navigate({ to: '/statements' }))
  return (
    <Moves
      what="statement"
      name={nameOf(statement)}
      record={statement}
      pdf={pdfOf(statement)}
      run={run}
      load={useLoadStatement(statement.id)}
    />
  )
}

function BillsPanel({ statement, bills }: { statement: Statement; bills: readonly Bill[] }) {
  const [adding, setAdding] = useState(false)
  const remove = useRemoveBill(statement)
  const isOpen = statement.status_id !== 'paid' && statement.voided_at === null
  const removeBill = (bill: Bill) =>
    remove.mutate(bill.id, {
      onError: (error) =>
        notifications.show({ title: 'Could not remove the bill', message: wordsFor(error), color: 'red.9' }),
    })
  const actions: Column<Bill> = {
    label: 'Actions',
    end: true,
    show: (bill) => (
      <RowAction
        icon={IconTrash}
        label="Remove"
        of={nameOfBill(bill)}
        onClick={() => !remove.isPending && removeBill(bill)}
      />
    ),
  }
  return (
    <Panel title="Bills">
      {bills.length > 0 ? (
        <DataTable
          label="Bills"
          columns={isOpen ? [...billColumns, actions] : billColumns}
          rows={bills}
          keyOf={({ id }) => id}
          waiting={remove.isPending}
        />
      ) : (
        <Text size="sm" c="dimmed">
          There are no bills on this statement. Add at least one before you save it.
        </Text>
      )}
      {isOpen && (
        <Button
          mt="md"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add bills
        </Button>
      )}
      {adding && <AddBillsDialog statement={statement} close={() => setAdding(false)} />}
    </Panel>
  )
}
