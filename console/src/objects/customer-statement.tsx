import type { Schemas } from '@lading/sdk'
import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { IconDownload, IconFileText, IconSend } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../api/changes.ts'
import { useMoney } from '../api/currencies.ts'
import { useMe } from '../api/me.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { NumberLink } from '../billing/documents/shown.tsx'
import type { Mailing } from '../mail/mailing.ts'
import { PdfButton } from '../mail/pdf-button.tsx'
import { SendDialog } from '../mail/send-dialog.tsx'
import { type Column, DataTable, TableSkeleton } from '../parts/data-table.tsx'
import { today } from '../parts/dates.ts'
import { Failed } from '../parts/failed.tsx'
import { Day } from '../parts/when.tsx'
import { useExport } from '../transfers/use-export.ts'
import type { PlatformObject } from './kind.ts'

type Statement = Schemas['CustomerStatement']
type OpenInvoice = Statement['invoices'][number]

const at = (customerID: string, as_of: string) => ({ params: { path: { customerID }, query: as_of ? { as_of } : {} } })

const statementQuery = (id: string, asOf: string) =>
  queryOptions({
    queryKey: ['invoices', 'statement', id, asOf],
    queryFn: async () =>
      ((await answered(lading.GET('/api/v1/customers/{customerID}/statement', at(id, asOf)))) as unknown as { statement: Statement }).statement,
    placeholderData: keepPreviousData,
  })

const pdfOf = (id: string, as_of: string) => ({ path: `customers/${id}/statement`, query: as_of ? { as_of } : {} })

/** What a customer owes, invoice by invoice, to be sent to them. */
export function StatementButton({ customer }: { customer: PlatformObject }) {
  const [open, setOpen] = useState<'statement' | 'sending' | null>(null)
  const [asOf, setAsOf] = useState('')
  const close = () => setOpen(null)
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconFileText size={14} aria-hidden />} onClick={() => setOpen('statement')}>
        Statement
      </Button>
      {open === 'statement' && <StatementDialog customer={customer} asOf={asOf} setAsOf={setAsOf} send={() => setOpen('sending')} close={close} />}
      {open === 'sending' && <SendStatement customer={customer} asOf={asOf} close={close} />}
    </>
  )
}

type StatementDialogProps = { customer: PlatformObject; asOf: string; setAsOf: (next: string) => void; send: () => void; close: () => void }

function StatementDialog({ customer, asOf, setAsOf, send, close }: StatementDialogProps) {
  const { may } = useMe()
  const { data, error, refetch, isPlaceholderData } = useQuery(statementQuery(customer.id, asOf))
  const columns = useColumns()
  return (
    <Modal opened onClose={close} title={`Statement of ${customer.name}`} size="xl">
      <Group justify="space-between" align="flex-end" mb="md">
        <TextInput type="date" label="As of" max={today()} value={asOf} onChange={(event) => setAsOf(event.currentTarget.value)} />
        <Group gap="xs">
          <DownloadButton customer={customer} asOf={asOf} />
          <PdfButton pdf={pdfOf(customer.id, asOf)} name={`statement-${customer.fullId}-${asOf || today()}`} />
          {may('enter') && (
            <Button leftSection={<IconSend size={16} aria-hidden />} onClick={send}>
              Send
            </Button>
          )}
        </Group>
      </Group>
      {error && <Failed error={error} what="the statement" retry={() => void refetch()} />}
      {!data && !error && <TableSkeleton />}
      {data && <Balances statement={data} />}
      {data && data.invoices.length > 0 && (
        <DataTable label="Open invoices" columns={columns} rows={data.invoices} keyOf={({ id }) => id} waiting={isPlaceholderData} />
      )}
    </Modal>
  )
}

function SendStatement({ customer, asOf, close }: { customer: PlatformObject; asOf: string; close: () => void }) {
  const email = typeof customer.email === 'string' && customer.email ? customer.email : null
  const send = useChange(
    (mailing: Partial<Mailing>) => answered(lading.POST('/api/v1/customers/{customerID}/statement/send', { ...at(customer.id, asOf), body: mailing })),
    { touches: ['mails'] },
  )
  return (
    <SendDialog
      name={`statement of ${customer.name}`}
      pdf={pdfOf(customer.id, asOf)}
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
  return currencies.map(({ currency_id, balance_amount, overdue_amount, credit_amount }) => (
    <Text key={currency_id} size="sm" mb="xs">
      <b>{money(balance_amount, currency_id)}</b> is open
      {overdue_amount > 0 && `, of which ${money(overdue_amount, currency_id)} is overdue`}
      {credit_amount > 0 && `, after credits of ${money(credit_amount, currency_id)}`}.
    </Text>
  ))
}

function useColumns(): Column<OpenInvoice>[] {
  const money = useMoney()
  return [
    { label: 'Number', show: ({ id, number }) => <NumberLink to={`/invoices/${id}`}>{number}</NumberLink> },
    { label: 'Date', show: ({ date }) => <Day at={date} /> },
    { label: 'Due', show: ({ due_date }) => <Day at={due_date} /> },
    { label: 'Days overdue', end: true, show: ({ days_overdue }) => (days_overdue > 0 ? days_overdue.toLocaleString() : '–') },
    { label: 'Total', end: true, show: ({ total_amount, currency_id }) => money(total_amount, currency_id) },
    { label: 'Paid', end: true, show: ({ amount_paid, currency_id }) => money(amount_paid, currency_id) },
    { label: 'Left to pay', end: true, show: ({ amount_due, currency_id }) => <b>{money(amount_due, currency_id)}</b> },
  ]
}

function DownloadButton({ customer, asOf }: { customer: PlatformObject; asOf: string }) {
  const { mutate, isPending } = useExport({
    what: 'the statement',
    fileName: `statement-${customer.fullId}-${asOf || today()}.csv`,
    read: () =>
      answered<Blob>(
        lading.GET('/api/v1/customers/{customerID}/statement', { ...at(customer.id, asOf), headers: { accept: 'text/csv' }, parseAs: 'blob' }) as never,
      ),
  })
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => mutate()} loading={isPending}>
      Download CSV
    </Button>
  )
}
