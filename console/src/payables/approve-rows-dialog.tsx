import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { sumsOf } from '../billing/documents/selection/sums.ts'
import { PartyName } from '../billing/parties.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { type Outcome, useApproveRows } from './queries.ts'
import { nameOf, type Row } from './rows.ts'

type Result = Outcome & { row: Row }

/** Approves many, and says what came of each. */
export function ApproveRowsDialog({ rows, close }: { rows: readonly Row[]; close: (left: readonly Row[]) => void }) {
  // Reading the list again after the change must not change what this dialog is about.
  const [asked] = useState(rows)
  const [note, setNote] = useState('')
  const run = useApproveRows()
  const money = useMoney()
  const results = run.data?.map((outcome): Result => ({ ...outcome, row: asked.find(({ id }) => id === outcome.id) as Row }))
  const left = results ? results.filter(({ problem }) => problem).map(({ row }) => row) : asked
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const invoices = asked.flatMap(({ invoice }) => invoice ?? [])
    run.mutate({ invoices, billIds: asked.flatMap(({ bill }) => bill?.id ?? []), note: note.trim() })
  }
  const title = results
    ? `Approve: ${results.length - left.length} of ${asked.length} done`
    : `Approve ${asked.length === 1 ? nameOf(asked[0] as Row) : asked.length}`
  return (
    <Modal opened onClose={() => close(left)} title={title} size="xl">
      {results ? (
        <>
          <Results results={results} />
          <Group justify="flex-end" mt="md">
            <Button onClick={() => close(left)} data-autofocus>
              Close
            </Button>
          </Group>
        </>
      ) : (
        <form onSubmit={submit} noValidate>
          <Text size="sm" mb="sm">
            Each is approved on its own, as it is now: of an invoice the bill is made, and a bill can then be paid. Together:{' '}
            {sumsOf(asked.map(sumPartOf), money)}.
          </Text>
          <Textarea label="Note" autosize minRows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
          {run.error ? <Failed error={run.error} /> : null}
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={() => close(asked)}>
              Cancel
            </Button>
            <Button type="submit" loading={run.isPending} data-autofocus>
              Approve {asked.length}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}

export function sumPartOf({ invoice, bill }: Row) {
  return invoice ? { total_amount: invoice.approved_amount ?? invoice.total_amount, currency_id: invoice.currency_id } : bill
}

function Results({ results }: { results: readonly Result[] }) {
  const money = useMoney()
  const columns: Column<Result>[] = [
    { label: 'Number', show: ({ row }) => <b>{nameOf(row)}</b> },
    { label: 'Carrier', show: ({ row }) => <PartyName party="carrier" id={(row.invoice ?? row.bill).partner_carrier_id} /> },
    {
      label: 'Total',
      end: true,
      show: ({ row }) => {
        const { total_amount, currency_id } = sumPartOf(row)
        return money(total_amount, currency_id)
      },
    },
    {
      label: 'Result',
      show: ({ problem, words }) => (
        <>
          <StateBadge words={problem ? 'Not done' : words} tone={problem ? 'stopped' : 'done'} />
          {problem && <Text size="sm">{problem}</Text>}
        </>
      ),
    },
  ]
  return <DataTable label="Results" columns={columns} rows={results.toSorted((a, b) => Number(!a.problem) - Number(!b.problem))} keyOf={({ id }) => id} />
}
