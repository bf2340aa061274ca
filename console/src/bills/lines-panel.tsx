import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Currency } from '../api/currencies.ts'
import { Problem, wordsFor } from '../api/problem.ts'
import { changesIn } from '../editing/use-editing.ts'
import { moneyOf } from '../parts/money.ts'
import { Panel } from '../parts/panel.tsx'
import type { Bill, BillItem } from './bill.ts'
import type { LineChoice } from './line-dialog.tsx'
import { type Line, type LineActions, LinesTable } from './lines-table.tsx'
import { moved } from './order.ts'
import { billQuery, type LineChange, useChangeLines } from './queries.ts'
import { Totals } from './totals.tsx'

type LinesPanelProps = { bill: Bill; items: readonly BillItem[]; currency: Currency | undefined }

export function LinesPanel({ bill, items, currency }: LinesPanelProps) {
  const { actions, busy } = useLineActions(bill, items)
  const money = (amount: number) => (currency ? moneyOf(amount, currency) : '–')
  return (
    <Panel title="Lines">
      <LinesTable lines={items.map(lineOf)} currency={currency} actions={bill.status_id === 'paid' ? null : actions} busy={busy} />
      <Totals subTotal={money(bill.sub_total_amount)} tax={bill.is_tax_on ? money(bill.tax_amount) : null} total={money(bill.total_amount)} />
    </Panel>
  )
}

function lineOf({ id, bill_item_type_id, bill_item_type, description, quantity, unit_price }: BillItem): Line {
  return { key: id, bill_item_type_id, typeName: bill_item_type?.name ?? null, description, quantity, unit_price }
}

/** Every change is sent at once, on condition that the bill still has the revision that is shown. */
function useLineActions(bill: Bill, items: readonly BillItem[]): { actions: LineActions; busy: boolean } {
  const queryClient = useQueryClient()
  const change = useChangeLines(bill.id)
  const [opened, setOpened] = useState(bill.revision)
  const revision = useRef(opened)
  revision.current = opened
  const load = async () => setOpened((await queryClient.fetchQuery({ ...billQuery(bill.id), staleTime: 0 })).bill.revision)
  // A dialog keeps the revision that it was opened with; after each of its own changes, the new one.
  const fromDialog = async (asked: Omit<LineChange, 'revision'>) => {
    const answer = (await change.mutateAsync({ ...asked, revision: revision.current } as LineChange)) as { bill: Bill }
    setOpened(answer.bill.revision)
  }
  const atOnce = (asked: Omit<LineChange, 'revision'>) =>
    change.mutate({ ...asked, revision: bill.revision } as LineChange, {
      onError: (error) => {
        const stale = error instanceof Problem && error.status === 412
        notifications.show({
          title: stale ? 'Somebody else changed this bill' : 'Could not change the lines',
          message: stale ? 'Nothing was changed. The page now shows the new version.' : wordsFor(error),
          color: 'red.9',
        })
        if (stale) void load()
      },
    })
  return {
    busy: change.isPending,
    actions: {
      asksBeforeRemoving: true,
      begin: () => setOpened(bill.revision),
      load,
      add: ({ typeName: _, ...line }) => fromDialog({ add: line } as never),
      change: ({ key, typeName: _, ...before }, { typeName: __, ...line }: LineChoice) => fromDialog({ change: changesIn(before, line), of: key } as never),
      remove: ({ key }) => atOnce({ remove: key } as never),
      move: ({ key }, by) => atOnce({ order: moved(items.map(lineOf), key, by).map((line) => line.key) } as never),
    },
  }
}
