import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { nameIn } from '../billing/documents/kind.ts'
import { sumsOf } from '../billing/documents/selection/sums.ts'
import { PartyOf } from '../billing/documents/shown.tsx'
import type { Bill } from '../bills/bill.ts'
import { bills as kind } from '../bills/kind.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { useApproveMany } from './queries.ts'

type Result = { bill: Bill; status: string; problem: string | null }

/** Approves many bills, and says what came of each. */
export function ApproveDialog({ bills, close }: { bills: readonly Bill[]; close: (left: readonly Bill[]) => void }) {
  // Reading the list again after the change must not change what this dialog is about.
  const [asked] = useState(bills)
  const [note, setNote] = useState('')
  const run = useApproveMany()
  const money = useMoney()
  const results = run.data?.results.map(
    ({ id, status, error }): Result => ({ bill: asked.find((bill) => bill.id === id) as Bill, status, problem: error?.error_message ?? null }),
  )
  const left = results ? results.filter(({ problem }) => problem).map(({ bill }) => bill) : asked
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate({ ids: asked.map(({ id }) => id), note: note.trim() })
  }
  const title = results
    ? `Approve: ${results.length - left.length} of ${asked.length} done`
    : `Approve ${asked.length} ${asked.length === 1 ? 'bill' : 'bills'}`
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
            Each bill is approved as it is now. Together: {sumsOf(asked, money)}.
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

function Results({ results }: { results: readonly Result[] }) {
  const money = useMoney()
  const words: Record<string, string> = { approved: 'Approved', pending: 'Waits for another person', failed: 'Not done' }
  const columns: Column<Result>[] = [
    { label: 'Bill', show: ({ bill }) => <b>{nameIn(kind, bill)}</b> },
    { label: 'Payee', show: ({ bill }) => <PartyOf kind={kind} document={bill} /> },
    { label: 'Total', end: true, show: ({ bill }) => money(bill.total_amount, bill.currency_id) },
    {
      label: 'Result',
      show: ({ status, problem }) => (
        <>
          <StateBadge words={words[status] ?? status} tone={problem ? 'stopped' : status === 'approved' ? 'done' : 'attention'} />
          {problem && <Text size="sm">{problem}</Text>}
        </>
      ),
    },
  ]
  return (
    <DataTable label="Results" columns={columns} rows={results.toSorted((a, b) => Number(!a.problem) - Number(!b.problem))} keyOf={({ bill }) => bill.id} />
  )
}
