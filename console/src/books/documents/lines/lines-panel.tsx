import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Currency, useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { Problem, wordsFor } from '../../../app/api/problem.ts'
import { changesIn } from '../../../app/editing/use-editing.ts'
import { Panel } from '../../../app/parts/panel.tsx'
import { moneyOf } from '../../../app/values/money.ts'
import type { Document, Item } from '../document.ts'
import type { DocumentKind } from '../kind.ts'
import { documentQuery, type LineChange, useChangeLines } from '../queries.ts'
import type { LineChoice } from './line-dialog.tsx'
import { type Line, type LineActions, LinesTable } from './lines-table.tsx'
import { moveLine } from './order.ts'
import { Totals } from './totals.tsx'

type LinesPanelProps = {
  kind: DocumentKind
  document: Document
  items: readonly Item[]
  currency: Currency | undefined
}

export function LinesPanel({ kind, document, items, currency }: LinesPanelProps) {
  const { actions, busy } = useLineActions(kind, document, items)
  const homeMoney = useMoney()
  const money = (amount: number) => (currency ? moneyOf(amount, currency) : '–')
  const {
    sub_total_amount,
    is_tax_on,
    tax_amount,
    total_amount,
    amount_paid,
    amount_due,
    home_currency_id,
    home_total_amount,
  } = document
  const { may } = useMe()
  const isFixed = document.status_id === 'paid' || document.voided_at !== null || !may('enter')
  const isForeign = home_currency_id !== null && home_total_amount !== null && home_currency_id !== document.currency_id
  return (
    <Panel title="Lines">
      <LinesTable
        what={kind.one}
        lines={items.map(lineOf)}
        currency={currency}
        actions={isFixed ? null : actions}
        busy={busy}
      />
      <Totals
        subTotal={money(sub_total_amount)}
        tax={is_tax_on ? money(tax_amount) : null}
        total={money(total_amount)}
        paid={
          amount_paid === 0
            ? null
            : { amount: money(amount_paid), left: money(amount_due), leftLabel: leftLabelOf(kind) }
        }
        home={
          isForeign
            ? {
                label: `Total in ${home_currency_id.toUpperCase()}`,
                total: homeMoney(home_total_amount, home_currency_id),
              }
            : null
        }
      />
    </Panel>
  )
}

function leftLabelOf({ list }: DocumentKind): string {
  return (list.fields.amount_due as { label: string }).label
}

function lineOf({
  id,
  bill_item_type_id,
  bill_item_type,
  description,
  quantity,
  unit_price,
  tax_rate_id,
  tax_amount,
}: Item): Line {
  return {
    key: id,
    bill_item_type_id,
    typeName: bill_item_type?.name ?? null,
    description,
    quantity,
    unit_price,
    tax_rate_id,
    taxAmount: tax_amount,
  }
}

/** Every change is sent at once, on condition that the document still has the revision that is shown. */
function useLineActions(
  kind: DocumentKind,
  document: Document,
  items: readonly Item[],
): { actions: LineActions; busy: boolean } {
  const queryClient = useQueryClient()
  const change = useChangeLines(kind, document.id)
  const [opened, setOpened] = useState(document.revision)
  const revision = useRef(opened)
  revision.current = opened
  const load = async () =>
    setOpened((await queryClient.fetchQuery({ ...documentQuery(kind, document.id), staleTime: 0 })).document.revision)
  // A dialog keeps the revision that it was opened with; after each of its own changes, the new one.
  const fromDialog = async (asked: Omit<LineChange, 'revision'>) => {
    setOpened(await change.mutateAsync({ ...asked, revision: revision.current } as LineChange))
  }
  const atOnce = (asked: Omit<LineChange, 'revision'>) =>
    change.mutate({ ...asked, revision: document.revision } as LineChange, {
      onError: (error) => {
        const stale = error instanceof Problem && error.status === 412
        notifications.show({
          title: stale ? `Somebody else changed this ${kind.one}` : 'Could not change the lines',
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
      begin: () => setOpened(document.revision),
      load,
      add: ({ typeName: _, ...line }) => fromDialog({ add: line } as never),
      change: ({ key, typeName: _, taxAmount: ___, ...before }, { typeName: __, ...line }: LineChoice) =>
        fromDialog({ change: changesIn(before, line), of: key } as never),
      remove: ({ key }) => atOnce({ remove: key } as never),
      move: ({ key }, by) => atOnce({ order: moveLine(items.map(lineOf), key, by).map((line) => line.key) } as never),
    },
  }
}
