import { Text } from '@mantine/core'
import { useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import type { Column } from '../../app/table/data-table.tsx'
import type { Bill } from '../bills/bill.ts'
import { bills as kind } from '../bills/kind.ts'
import { nameIn } from '../documents/kind.ts'
import { sumsOf } from '../documents/selection/sums.ts'
import { PartyOf } from '../documents/shown/shown.tsx'
import { ApproveMany } from './approve-many.tsx'
import { useApproveMany } from './queries.ts'

type Result = { bill: Bill; status: string; problem: string | null }

const words: Record<string, string> = { approved: 'Approved', pending: 'Waits for another person', failed: 'Not done' }

/** Approves many bills, and says what came of each. */
export function ApproveDialog({ bills, close }: { bills: readonly Bill[]; close: (left: readonly Bill[]) => void }) {
  // Reading the list again after the change must not change what this dialog is about.
  const [asked] = useState(bills)
  const { mutate, data, isPending, error } = useApproveMany()
  const money = useMoney()
  const results = data?.results.map(
    ({ id, status, error }): Result => ({
      bill: asked.find((bill) => bill.id === id) as Bill,
      status,
      problem: error?.error_message ?? null,
    }),
  )
  const columns: Column<Result>[] = [
    { label: 'Bill', show: ({ bill }) => <b>{nameIn(kind, bill)}</b> },
    { label: 'Payee', show: ({ bill }) => <PartyOf kind={kind} document={bill} /> },
    { label: 'Total', end: true, show: ({ bill }) => money(bill.total_amount, bill.currency_id) },
    {
      label: 'Result',
      show: ({ status, problem }) => (
        <>
          <StateBadge
            words={words[status] ?? status}
            tone={problem ? 'stopped' : status === 'approved' ? 'done' : 'attention'}
          />
          {problem && <Text size="sm">{problem}</Text>}
        </>
      ),
    },
  ]
  return (
    <ApproveMany
      what={`${asked.length} ${asked.length === 1 ? 'bill' : 'bills'}`}
      count={asked.length}
      about={<>Each bill is approved as it is now. Together: {sumsOf(asked, money)}.</>}
      run={{ approve: (note) => mutate({ ids: asked.map(({ id }) => id), note }), isPending, error }}
      results={results}
      columns={columns}
      keyOf={({ bill }) => bill.id}
      close={() => close(results ? results.filter(({ problem }) => problem).map(({ bill }) => bill) : asked)}
    />
  )
}
