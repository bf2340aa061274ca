import { Alert, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { ActorName } from '../../../app/history/actor-name.tsx'
import { IconInfoCircle } from '../../../app/icons/icons.ts'
import { Fact } from '../../../app/parts/fact.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { Day, When } from '../../../app/parts/when.tsx'
import { NumberedBill } from '../../../books/bills/numbered-bill.tsx'
import { PartyLink } from '../../../books/documents/shown/parties.tsx'
import type { CarrierInvoice } from '../invoice.ts'
import { historyQuery } from '../queries.ts'
import { decisionWords, isOpen, sourceWords } from '../states.ts'
import { labels } from '../values.ts'
import { DocumentPane } from './document-pane.tsx'
import { LinesPanel } from './lines.tsx'
import { MatchingPanel } from './matching-panel.tsx'
import styles from './record.module.css'

type InvoiceRecordProps = {
  invoice: CarrierInvoice
  /** What is shown in the place of the invoice while it is edited. */
  form?: ReactNode
}

/** All there is to an invoice of a carrier: facts, lines with findings, matching and decisions at one side, its documents at the other. */
export function InvoiceRecord({ invoice, form }: InvoiceRecordProps) {
  return (
    <Halves documents={<DocumentPane record={{ type: 'carrier_invoice', id: invoice.id }} />}>
      {form || (
        <>
          {isOpen(invoice) && invoice.missing_fields.length > 0 && (
            <Alert variant="default" icon={<IconInfoCircle aria-hidden />} title="Not complete" mb="md">
              <Text size="sm">
                The mail does not say beyond doubt what its{' '}
                {invoice.missing_fields.map((name) => labels[name].toLowerCase()).join(' and its ')} is. Complete the
                invoice with what its documents say.
              </Text>
            </Alert>
          )}
          {isOpen(invoice) && invoice.missing_fields.length === 0 && invoice.audited_at === null && (
            <Alert variant="default" icon={<IconInfoCircle aria-hidden />} title="Not audited yet" mb="md">
              <Text size="sm">An audit looks for its manifest and holds its lines against what was agreed.</Text>
            </Alert>
          )}
          <LinesPanel invoice={invoice} />
          <MatchingPanel invoice={invoice} />
          <Facts invoice={invoice} />
          <Decisions invoice={invoice} />
        </>
      )}
    </Halves>
  )
}

/** A record and its documents, next to each other where there is room. */
export function Halves({ children, documents }: { children: ReactNode; documents: ReactNode }) {
  return (
    <div className={styles.record}>
      <div className={styles.halves}>
        <div>{children}</div>
        <div>{documents}</div>
      </div>
    </div>
  )
}

function Facts({ invoice }: { invoice: CarrierInvoice }) {
  const {
    partner_carrier_id,
    invoice_number,
    invoice_date,
    reference_number,
    source,
    created_at,
    audited_at,
    bill_id,
    notes,
  } = invoice
  return (
    <Panel title="Details">
      <SimpleGrid cols={2} spacing="sm">
        <Fact label="Carrier">
          {partner_carrier_id ? <PartyLink party="carrier" id={partner_carrier_id} /> : 'Not known'}
        </Fact>
        <Fact label="Number">{invoice_number}</Fact>
        <Fact label="Date">
          <Day at={invoice_date} />
        </Fact>
        <Fact label="Load">{reference_number ?? '–'}</Fact>
        <Fact label="Came by">{sourceWords[source]}</Fact>
        <Fact label="Received">
          <When at={created_at} />
        </Fact>
        <Fact label="Audited">
          <When at={audited_at} never="Not yet" />
        </Fact>
        {bill_id && (
          <Fact label="Bill">
            <NumberedBill id={bill_id} />
          </Fact>
        )}
      </SimpleGrid>
      {notes && (
        <Text size="sm" mt="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {notes}
        </Text>
      )}
    </Panel>
  )
}

/** What people decided. Their names come from the history, which has them for everybody. */
function Decisions({ invoice }: { invoice: CarrierInvoice }) {
  const money = useMoney()
  const { user } = useMe()
  const { id, decisions, total_amount, currency_id } = invoice
  const { data } = useQuery({ ...historyQuery(id, 100), enabled: decisions.length > 0 })
  if (decisions.length === 0) return null
  const eventOf = (by: string) => data?.events.find(({ actor }) => actor.id === by)
  const nameOf = (by: string) => {
    const event = eventOf(by)
    if (event) return <ActorName actor={event.actor} name={event.actor_name} />
    return by === user?.id ? 'you' : 'somebody'
  }
  return (
    <Panel title="Decisions">
      {decisions.map(({ decision, note, amount, decided_by, decided_at }) => (
        <Text key={decided_at} size="sm" mb="xs">
          {decisionWords[decision].done} by {nameOf(decided_by)} <When at={decided_at} />
          {decision === 'short_pay' &&
            amount !== null &&
            `, ${money(amount, currency_id)} of ${money(total_amount, currency_id)}`}
          {note && `: ${note}`}
        </Text>
      ))}
    </Panel>
  )
}
