import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { ChangeList } from '../../app/history/entries.tsx'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { type RecordedEvent, RecordHistory } from '../../app/history/record-history.tsx'
import { IconPencil, IconTrash } from '../../app/icons/icons.ts'
import { MailsPanel } from '../../app/mail/mails-panel.tsx'
import { Fact } from '../../app/parts/fact.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { Day } from '../../app/parts/when.tsx'
import { PartyLink } from '../../books/documents/shown/parties.tsx'
import { BankPanel } from './bank-panel.tsx'
import { NoticeLink, PayeeLink } from './links.tsx'
import { historyQuery, type Payee, payeeQuery, useDeletePayee } from './queries.ts'
import { payeesPath } from './routes.ts'
import { WaitingPanel } from './waiting-panel.tsx'
import { changesOf, labels, PayeeState, shownValue } from './words.tsx'

const above = { label: 'Payees', to: payeesPath }

export function DetailPage() {
  const { payeeId = '' } = useParams({ strict: false }) as { payeeId?: string }
  return (
    <RecordPage title="Payee" above={above} query={payeeQuery(payeeId)}>
      {(payee) => <Known key={payeeId} payee={payee} />}
    </RecordPage>
  )
}

function Known({ payee }: { payee: Payee }) {
  const { id, name, partner_carrier_id, factor_payee_id, waiting_change } = payee
  return (
    <Page
      sticky
      title={name}
      above={above}
      actions={<Actions payee={payee} />}
      lead={
        <Group component="span" gap="sm">
          <PayeeState payee={payee} />
          <span>
            {partner_carrier_id ? (
              <>Payee of {<PartyLink party="carrier" id={partner_carrier_id} inText />}</>
            ) : (
              'Factoring company'
            )}
          </span>
          {factor_payee_id && (
            <span>
              Paid to <PayeeLink id={factor_payee_id} />
            </span>
          )}
        </Group>
      }
    >
      {waiting_change && <WaitingPanel payee={payee} change={waiting_change} />}
      {factor_payee_id && <FactoringPanel payee={payee} factor={factor_payee_id} />}
      <BankPanel payee={payee} />
      <Terms payee={payee} />
      <MailsPanel type="payee" id={id} />
      <RecordHistory query={(limit) => historyQuery(id, limit)} changesOf={(event) => <Changes event={event} />} />
    </Page>
  )
}

function Actions({ payee }: { payee: Payee }) {
  const [removing, setRemoving] = useState(false)
  const { may } = useMe()
  if (!may('enter')) return null
  return (
    <>
      <Button
        leftSection={<IconPencil size={16} aria-hidden />}
        renderRoot={(props) => <Link to={`/payees/${payee.id}/edit`} {...props} />}
      >
        Edit
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setRemoving(true)}>
        Delete
      </Button>
      {removing && <Remove payee={payee} close={() => setRemoving(false)} />}
    </>
  )
}

function Remove({ payee, close }: { payee: Payee; close: () => void }) {
  const navigate = useNavigate()
  const change = useDeletePayee(payee, async () => {
    notifications.show({ message: `${payee.name} was deleted.` })
    await navigate({ to: payeesPath })
  })
  return (
    <ConfirmDialog action="Delete" name={payee.name} close={close} change={change}>
      Payment runs leave out carriers that have no payee. One that a run has paid cannot be deleted.
    </ConfirmDialog>
  )
}

function FactoringPanel({ payee, factor }: { payee: Payee; factor: string }) {
  const { notice_of_assignment_on, notice_document_id } = payee
  return (
    <Panel title="Factoring" lead="The carrier has assigned what it is owed: everything goes to the factoring company.">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Fact label="Factoring company">
          <PayeeLink id={factor} />
        </Fact>
        <Fact label="Notice of assignment">
          <Day at={notice_of_assignment_on} />
        </Fact>
        <Fact label="Document of the notice">{notice_document_id ? <NoticeLink id={notice_document_id} /> : '–'}</Fact>
      </SimpleGrid>
    </Panel>
  )
}

function Terms({
  payee: { remittance_email, quick_pay_days, quick_pay_percent, notes, external_id },
}: {
  payee: Payee
}) {
  return (
    <Panel title="Terms and notes">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <Fact label="Remittance advices go to">{remittance_email ?? '–'}</Fact>
        <Fact label="Quick pay">
          {quick_pay_percent === null
            ? '–'
            : `${quick_pay_percent} % less within ${quick_pay_days} ${quick_pay_days === 1 ? 'day' : 'days'} of the bill’s date`}
        </Fact>
        <Fact label="Notes">
          <span style={{ whiteSpace: 'pre-wrap' }}>{notes ?? '–'}</span>
        </Fact>
        {external_id && <Fact label="External id">{external_id}</Fact>}
      </SimpleGrid>
    </Panel>
  )
}

type Values = Record<string, unknown>
type Data = {
  change?: { note: string | null; fields: Values; previous: Values }
  waiting_change?: { fields: Values } | null
}

/** What an event changed; of a request what was asked for, and of a decision its note and what came of it. */
function Changes({ event }: { event: RecordedEvent }) {
  const { change, waiting_change } = event.data as Data
  const inOrder = (values: Values) => Object.keys(labels).filter((field) => field in values)
  if (event.type === 'payee.change_requested' && waiting_change) {
    const { fields } = waiting_change
    return (
      <ChangeList
        changes={inOrder(fields).map((field) => ({
          key: field,
          label: labels[field] as string,
          text: shownValue(fields[field], field),
        }))}
      />
    )
  }
  if (!change) return <FieldChanges event={event} labels={labels} show={shownValue} />
  return (
    <>
      {change.note && <Text size="sm">“{change.note}”</Text>}
      {event.type === 'payee.change_approved' && (
        <ChangeList changes={changesOf(change.previous, change.fields, inOrder(change.previous))} />
      )}
    </>
  )
}
