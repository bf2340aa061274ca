import { Group } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { FieldChanges, textOf } from '../../../app/history/field-changes.tsx'
import { RecordHistory } from '../../../app/history/record-history.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { RecordPage } from '../../../app/parts/record-page.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { PartyLink } from '../../../books/documents/shown/parties.tsx'
import type { CarrierInvoice, Decision } from '../invoice.ts'
import { inboxPath, invoicePath } from '../paths.ts'
import { historyQuery, invoiceQuery } from '../queries.ts'
import { DecisionDialog } from '../record/decision-dialog.tsx'
import { InvoiceActions } from '../record/invoice-actions.tsx'
import { InvoiceRecord } from '../record/invoice-record.tsx'
import { amountsOf, badgeOf, stateWords } from '../states.ts'
import { InvoiceForm } from './invoice-form.tsx'

const above = { label: 'Inbox', to: inboxPath }

export function InvoicePage() {
  const { invoiceId = '' } = useParams({ strict: false }) as { invoiceId?: string }
  return (
    <RecordPage title="Carrier invoice" above={above} query={invoiceQuery(invoiceId)}>
      {(invoice) => <Known key={invoiceId} invoice={invoice} />}
    </RecordPage>
  )
}

function Known({ invoice }: { invoice: CarrierInvoice }) {
  const navigate = useNavigate()
  const money = useMoney()
  const [deciding, setDeciding] = useState<Decision | null>(null)
  const { edit = false } = useSearch({ strict: false }) as { edit?: boolean }
  const setEditing = (on: boolean) =>
    void navigate({ to: invoicePath(invoice.id), search: on ? { edit: true } : {}, replace: true, ignoreBlocker: true })
  const { id, invoice_number, partner_carrier_id } = invoice
  return (
    <Page
      sticky
      title={`Carrier invoice ${invoice_number}`}
      above={above}
      lead={
        <Group gap="sm">
          <StateBadge {...badgeOf(invoice)} />
          {partner_carrier_id && (
            <span>
              Carrier <PartyLink party="carrier" id={partner_carrier_id} inText />
            </span>
          )}
          <span>{amountsOf(invoice, money)}</span>
        </Group>
      }
      actions={
        <InvoiceActions
          invoice={invoice}
          decide={setDeciding}
          edit={() => setEditing(true)}
          leave={() => navigate({ to: inboxPath, ignoreBlocker: true })}
        />
      }
    >
      <InvoiceRecord
        invoice={invoice}
        form={
          edit && (
            <Panel title="Edit">
              <InvoiceForm
                invoice={invoice}
                document={null}
                saved={() => setEditing(false)}
                cancel={() => setEditing(false)}
              />
            </Panel>
          )
        }
      />
      <RecordHistory
        query={(limit) => historyQuery(id, limit)}
        changesOf={(event) => <FieldChanges event={event} labels={labels} show={shown} />}
      />
      {deciding && <DecisionDialog invoice={invoice} decision={deciding} close={() => setDeciding(null)} />}
    </Page>
  )
}

const labels = {
  state: 'State',
  is_disputed: 'Disputed',
  findings: 'Findings',
  invoice_number: 'Number',
  invoice_date: 'Date',
  reference_number: 'Load',
  currency_id: 'Currency',
  notes: 'Notes',
}

function shown(value: unknown, field: string) {
  if (field === 'state') return stateWords[value as CarrierInvoice['state']] ?? textOf(value)
  if (field === 'findings')
    return (value as { message: string }[] | null)?.map(({ message }) => message).join(' ') || 'None'
  return textOf(value)
}
