import type { ReactNode } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { ChangeList, FromTo } from '../../../app/history/entries.tsx'
import type { RecordedEvent } from '../../../app/history/record-history.tsx'
import type { Item } from '../document.ts'
import { type AnyFields, shownFields } from '../field.ts'
import { type Row, Shown } from './shown.tsx'

type Line = Omit<Item, 'bill_item_type_id' | 'tax_rate_id' | 'tax_amount'>

/** What an event changed, field by field: before → after. */
export function Changes({ fields, event: { previous, data } }: { fields: AnyFields; event: RecordedEvent }) {
  const money = useMoney()
  const [before, after] = [(previous ?? {}) as Row, (data ?? {}) as Row]
  const currency_id = after.currency_id ?? null
  const changed = shownFields(fields).filter(({ name, notInHistory }) => !notInHistory && name in before)
  const [oldLines, newLines] = [linesIn(before), linesIn(after)]
  const lines = oldLines && newLines ? lineChanges(oldLines, newLines, (amount) => money(amount, currency_id)) : []
  const fieldChanges = changed.map((field) => ({
    key: field.name,
    label: field.label,
    text: (
      <FromTo
        from={<Shown field={field} record={{ currency_id, ...before }} inText empty="(empty)" />}
        to={<Shown field={field} record={after} inText empty="(empty)" />}
      />
    ),
  }))
  return <ChangeList changes={[...fieldChanges, ...lines]} />
}

/** They stand below a key of the kind: `bill_items`. */
function linesIn(state: Row): readonly Line[] | undefined {
  return Object.entries(state).find(([key]) => key.endsWith('_items'))?.[1] as readonly Line[] | undefined
}

type LineChange = { key: string; label: string; text: ReactNode }

/** Which lines were added, removed or changed; and where none was, that their order changed. */
function lineChanges(before: readonly Line[], after: readonly Line[], money: (amount: number) => string): LineChange[] {
  const words = ({ bill_item_type, description, quantity, unit_price, total_amount }: Line) =>
    `${[bill_item_type?.name, description].filter(Boolean).join(', ') || 'Line'}: ${quantity.toLocaleString()} × ${money(unit_price)} = ${money(total_amount)}`
  const earlier = new Map(before.map((line) => [line.id, line]))
  const remaining = new Set(after.map(({ id }) => id))
  const changes: LineChange[] = [
    ...after
      .filter(({ id }) => !earlier.has(id))
      .map((line) => ({ key: `+${line.id}`, label: 'Line added', text: words(line) })),
    ...before
      .filter(({ id }) => !remaining.has(id))
      .map((line) => ({ key: `-${line.id}`, label: 'Line removed', text: <del>{words(line)}</del> })),
    ...after.flatMap((line) => {
      const old = earlier.get(line.id)
      if (!old || words(old) === words(line)) return []
      const text = (
        <>
          <del>{words(old)}</del> → {words(line)}
        </>
      )
      return [{ key: line.id, label: 'Line changed', text }]
    }),
  ]
  const moved = changes.length === 0 && before.some(({ id }, index) => after[index]?.id !== id)
  return moved ? [{ key: 'order', label: 'Lines', text: 'Order changed' }] : changes
}
