import type { Schemas } from '@lading/sdk'
import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../app/api/changes.ts'
import { useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { useBooksToday } from '../../app/api/organization.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { IconDownload, IconFileText, IconSend } from '../../app/icons/icons.ts'
import type { Mailing } from '../../app/mail/mailing.ts'
import { PdfButton } from '../../app/mail/pdf-button.tsx'
import { SendDialog } from '../../app/mail/send-dialog.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Day, When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { useExport } from '../../app/transfers/use-export.ts'
import { today } from '../../app/values/dates.ts'
import type { PlatformObject } from '../../records/kinds/kind.ts'
import { NumberLink } from '../documents/shown/shown.tsx'

type OfCustomer = Schemas['CustomerStatement']
type OpenDocument = OfCustomer['invoices'][number]
type OnAccount = OfCustomer['payments'][number]
/** What the statements of both have. */
type Statement = Pick<OfCustomer, 'credits' | 'payments'> & {
  currencies: Omit<OfCustomer['currencies'][number], 'invoice_count'>[]
  documents: OpenDocument[]
}

/** Whose statement it is, and where that is. */
type Of = 'customer' | 'carrier'
const sides = {
  customer: { path: 'customers', documents: 'invoices', title: 'Open invoices' },
  carrier: { path: 'partner_carriers', documents: 'bills', title: 'Open bills' },
} as const
type Whose = { of: Of; party: PlatformObject }

const queryOf = (as_of: string) => (as_of ? { as_of } : {})
const at = (customerID: string, as_of: string) => ({ params: { path: { customerID }, query: queryOf(as_of) } })
const atCarrier = (partnerCarrierID: string, as_of: string) => ({
  params: { path: { partnerCarrierID }, query: queryOf(as_of) },
})

/** As JSON, or with these options as a file. */
function readStatement(of: Of, id: string, asOf: string, options: object = {}): Promise<unknown> {
  if (of === 'customer')
    return answered(lading.GET('/api/v1/customers/{customerID}/statement', { ...at(id, asOf), ...options }) as never)
  return answered(
    lading.GET('/api/v1/partner_carriers/{partnerCarrierID}/statement', {
      ...atCarrier(id, asOf),
      ...options,
    }) as never,
  )
}

const statementQuery = (of: Of, id: string, asOf: string) =>
  queryOptions({
    queryKey: [sides[of].documents, 'statement', id, asOf],
    queryFn: async () => {
      const { statement } = (await readStatement(of, id, asOf)) as {
        statement: Statement & Record<string, OpenDocument[]>
      }
      return { ...statement, documents: statement[sides[of].documents] ?? [] } as Statement
    },
    placeholderData: keepPreviousData,
  })

const pdfOf = (of: Of, id: string, as_of: string) => ({
  path: `${sides[of].path}/${id}/statement`,
  query: queryOf(as_of),
})

/** What a customer owes, invoice by invoice, to be sent to them; or what a carrier is owed. */
export function StatementButton({ of, party }: Whose) {
  const [open, setOpen] = useState<'statement' | 'sending' | null>(null)
  const [asOf, setAsOf] = useState('')
  const close = () => setOpen(null)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFileText size={14} aria-hidden />}
        onClick={() => setOpen('statement')}
      >
        Statement
      </Button>
      {open === 'statement' && (
        <StatementDialog
          of={of}
          party={party}
          asOf={asOf}
          setAsOf={setAsOf}
          send={() => setOpen('sending')}
          close={close}
        />
      )}
      {open === 'sending' && <SendStatement customer={party} asOf={asOf} close={close} />}
    </>
  )
}

type StatementDialogProps = Whose & {
  asOf: string
  setAsOf: (next: string) => void
  send: () => void
  close: () => void
}

function StatementDialog({ of, party, asOf, setAsOf, send, close }: StatementDialogProps) {
  const { may } = useMe()
  const { data, error, refetch, isPlaceholderData } = useQuery(statementQuery(of, party.id, asOf))
  const columns = useColumns(of)
  const paid = useColumnsOfPayments()
  return (
    <Modal opened onClose={close} title={`Statement of ${party.name}`} size="xl">
      <Group justify="space-between" align="flex-end" mb="md">
        <TextInput
          type="date"
          label="As of"
          max={useBooksToday()}
          value={asOf}
          onChange={(event) => setAsOf(event.currentTarget.value)}
        />
        <Group gap="xs">
          <DownloadButton of={of} party={party} asOf={asOf} />
          <PdfButton pdf={pdfOf(of, party.id, asOf)} name={`statement-${party.fullId}-${asOf || today()}`} />
          {of === 'customer' && may('enter') && (
            <Button leftSection={<IconSend size={16} aria-hidden />} onClick={send}>
              Send
            </Button>
          )}
        </Group>
      </Group>
      {error && <Failed error={error} what="the statement" retry={() => void refetch()} />}
      {!data && !error && <TableSkeleton />}
      {data && <Balances statement={data} />}
      {data && data.documents.length > 0 && (
        <DataTable
          label={sides[of].title}
          columns={columns}
          rows={data.documents}
          keyOf={({ id }) => id}
          waiting={isPlaceholderData}
        />
      )}
      {data && data.payments.length > 0 && (
        <>
          <Text fw={600} size="sm" mt="md" mb="xs">
            Paid on account
          </Text>
          <DataTable
            label="Paid on account"
            columns={paid}
            rows={data.payments}
            keyOf={({ id }) => id}
            waiting={isPlaceholderData}
          />
        </>
      )}
    </Modal>
  )
}

function SendStatement({ customer, asOf, close }: { customer: PlatformObject; asOf: string; close: () => void }) {
  const email = typeof customer.email === 'string' && customer.email ? customer.email : null
  const send = useChange(
    (mailing: Partial<Mailing>) =>
      answered(
        lading.POST('/api/v1/customers/{customerID}/statement/send', { ...at(customer.id, asOf), body: mailing }),
      ),
    { touches: ['mails'] },
  )
  return (
    <SendDialog
      name={`statement of ${customer.name}`}
      pdf={pdfOf('customer', customer.id, asOf)}
      sendTo={email}
      withoutAddress="Enter an address"
      run={send}
      done="The statement is on its way."
      close={close}
    >
      {email
        ? `The statement goes to ${email}, the address of the customer, unless you enter another.`
        : 'The customer has no e-mail address. Enter the one that the statement goes to.'}
    </SendDialog>
  )
}

function Balances({ statement: { currencies } }: { statement: Statement }) {
  const money = useMoney()
  if (currencies.length === 0) return <Text size="sm">Nothing is open.</Text>
  return currencies.map(({ currency_id, balance_amount, overdue_amount, credit_amount, unapplied_amount }) => (
    <Text key={currency_id} size="sm" mb="xs">
      <b>{money(balance_amount, currency_id)}</b> is open
      {overdue_amount > 0 && `, of which ${money(overdue_amount, currency_id)} is overdue`}
      {credit_amount > 0 && `, after credits of ${money(credit_amount, currency_id)}`}
      {unapplied_amount !== 0 &&
        `${credit_amount > 0 ? ' and' : ', after'} ${money(unapplied_amount, currency_id)} paid on account`}
      .
    </Text>
  ))
}

function useColumnsOfPayments(): Column<OnAccount>[] {
  const money = useMoney()
  return [
    { label: 'Payment', show: ({ id, number }) => <NumberLink to={`/payments/${id}`}>{number}</NumberLink> },
    { label: 'Reference', show: ({ reference_number }) => reference_number ?? '–' },
    { label: 'Paid on', show: ({ date }) => <When at={date} /> },
    { label: 'Amount', end: true, show: ({ amount, currency_id }) => money(amount, currency_id) },
    {
      label: 'Left',
      end: true,
      show: ({ unapplied_amount, currency_id }) => <b>{money(unapplied_amount, currency_id)}</b>,
    },
  ]
}

function useColumns(of: Of): Column<OpenDocument>[] {
  const money = useMoney()
  return [
    {
      label: 'Number',
      show: ({ id, number }) => <NumberLink to={`/${sides[of].documents}/${id}`}>{number}</NumberLink>,
    },
    { label: 'Date', show: ({ date }) => <Day at={date} /> },
    { label: 'Due', show: ({ due_date }) => <Day at={due_date} /> },
    {
      label: 'Days overdue',
      end: true,
      show: ({ days_overdue }) => (days_overdue > 0 ? days_overdue.toLocaleString() : '–'),
    },
    { label: 'Total', end: true, show: ({ total_amount, currency_id }) => money(total_amount, currency_id) },
    { label: 'Paid', end: true, show: ({ amount_paid, currency_id }) => money(amount_paid, currency_id) },
    { label: 'Left to pay', end: true, show: ({ amount_due, currency_id }) => <b>{money(amount_due, currency_id)}</b> },
  ]
}

function DownloadButton({ of, party, asOf }: Whose & { asOf: string }) {
  const { mutate, isPending } = useExport({
    what: 'the statement',
    fileName: `statement-${party.fullId}-${asOf || today()}.csv`,
    read: () =>
      readStatement(of, party.id, asOf, { headers: { accept: 'text/csv' }, parseAs: 'blob' }) as Promise<Blob>,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => mutate()}
      loading={isPending}
    >
      Download CSV
    </Button>
  )
}
