import { Text } from '@mantine/core'
import { useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import type { Column } from '../../app/table/data-table.tsx'
import { ApproveMany } from '../../books/approvals/approve-many.tsx'
import { sumsOf } from '../../books/documents/selection/sums.ts'
import { PartyName } from '../../books/documents/shown/parties.tsx'
import { type Outcome, useApproveRows } from '../carrier-invoices/queries.ts'
import { nameOf, type Row } from '../carrier-invoices/rows.ts'
import { duplicatesIn } from '../carrier-invoices/states.ts'

type Result = Outcome & { row: Row }

/** Approves many, and says what came of each. */
export function ApproveRowsDialog({ rows, close }: { rows: readonly Row[]; close: (left: readonly Row[]) => void }) {
  // Reading the list again after the change must not change what this dialog is about.
  const [asked] = useState(rows)
  const { mutate, data, isPending, error } = useApproveRows()
  const money = useMoney()
  const results = data?.map(
    (outcome): Result => ({ ...outcome, row: asked.find(({ id }) => id === outcome.id) as Row }),
  )
  const approve = (note: string) => {
    const invoices = asked.flatMap(({ invoice }) => invoice ?? [])
    mutate({ invoices, billIds: asked.flatMap(({ bill }) => bill?.id ?? []), note })
  }
  const columns: Column<Result>[] = [
    { label: 'Number', show: ({ row }) => <b>{nameOf(row)}</b> },
    {
      label: 'Carrier',
      show: ({ row }) => <PartyName party="carrier" id={(row.invoice ?? row.bill).partner_carrier_id} />,
    },
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
  return (
    <ApproveMany
      what={asked.length === 1 ? nameOf(asked[0] as Row) : String(asked.length)}
      count={asked.length}
      about={
        <>
          Each is approved on its own, as it is now: of an invoice the bill is made, and a bill can then be paid.
          Together: {sumsOf(asked.map(sumPartOf), money)}.
          {asked.map(
            ({ id, invoice }) =>
              invoice &&
              duplicatesIn(invoice).map((message) => (
                <Duplicate key={`${id} ${message}`} of={invoice.invoice_number} message={message} />
              )),
          )}
        </>
      }
      run={{ approve, isPending, error }}
      results={results}
      columns={columns}
      keyOf={({ id }) => id}
      close={() => close(results ? results.filter(({ problem }) => problem).map(({ row }) => row) : asked)}
    />
  )
}

function Duplicate({ of, message }: { of: string; message: string }) {
  return (
    <Text span display="block" size="sm" mt="xs">
      <b>{of}</b> may be paid twice: {message}
    </Text>
  )
}

export function sumPartOf({ invoice, bill }: Row) {
  return invoice
    ? { total_amount: invoice.approved_amount ?? invoice.total_amount, currency_id: invoice.currency_id }
    : bill
}
