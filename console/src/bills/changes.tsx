import { Fragment, type ReactNode } from 'react'
import { useMoney } from '../api/currencies.ts'
import { type Address, linesOfAddress } from '../billing/address.tsx'
import { CarrierName } from '../billing/carriers.tsx'
import { PayTermName } from '../billing/pay-term-name.tsx'
import { type Status, statusWords } from '../billing/status.tsx'
import { timeOf } from '../parts/dates.ts'
import { Day } from '../parts/when.tsx'
import type { Bill, BillItem } from './bill.ts'
import styles from './history.module.css'
import type { BillEvent } from './history.tsx'
import { labels } from './values.ts'

type Past = Partial<Bill> & { bill_items?: readonly BillItem[] }

const named: Record<string, string> = {
  ...labels,
  number: 'Number',
  status_id: 'State',
  total_amount: 'Total',
  sent_at: 'Sent',
  paid_at: 'Paid',
  consolidated_bill_id: 'Statement',
  qb_external_id: 'Accounting id',
  qb_error_msg: 'Accounting error',
  qb_exported_at: 'Exported',
}

/** What an event changed: before → after, in the words and the money of the page. */
export function Changes({ event: { previous, data } }: { event: BillEvent }) {
  const money = useMoney()
  const [before, after] = [(previous ?? {}) as Past, (data ?? {}) as Past]
  const currency = after.currency_id ?? null
  const fields = Object.keys(named).filter((field) => field in before)
  const lines = before.bill_items && after.bill_items ? lineChanges(before.bill_items, after.bill_items, (amount) => money(amount, currency)) : []
  if (fields.length === 0 && lines.length === 0) return null
  return (
    <dl className={styles.changes}>
      {fields.map((field) => (
        <Fragment key={field}>
          <dt>{named[field]}</dt>
          <dd>
            <del>{shown(field, before, (amount) => money(amount, currency))}</del> → {shown(field, after, (amount) => money(amount, currency))}
          </dd>
        </Fragment>
      ))}
      {lines.map(({ key, label, text }) => (
        <Fragment key={key}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function shown(field: string, bill: Past, money: (amount: number) => string): ReactNode {
  const value = bill[field as keyof Past]
  if (value === null || value === undefined || value === '') return 'nothing'
  if (field === 'status_id') return statusWords[value as Status]
  if (field.endsWith('_amount')) return money(value as number)
  if (field === 'bill_date' || field === 'due_date') return <Day at={value as string} />
  if (field.endsWith('_at')) return timeOf(value as string)
  if (field === 'pay_term_id') return <PayTermName id={value as string} />
  if (field === 'partner_carrier_id') return <CarrierName id={value as string} />
  if (field === 'remit_to' || field === 'bill_to') return linesOfAddress(value as Address).join(', ')
  if (field === 'consolidated_bill_id') return 'on one'
  if (field === 'currency_id') return (value as string).toUpperCase()
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

type LineChange = { key: string; label: string; text: ReactNode }

/** Which lines came, went or changed; and where none did, that they stand in another order. */
export function lineChanges(before: readonly BillItem[], after: readonly BillItem[], money: (amount: number) => string): LineChange[] {
  const words = ({ bill_item_type, description, quantity, unit_price, total_amount }: BillItem) =>
    `${[bill_item_type?.name, description].filter(Boolean).join(', ') || 'Line'}: ${quantity.toLocaleString()} × ${money(unit_price)} = ${money(total_amount)}`
  const was = new Map(before.map((line) => [line.id, line]))
  const is = new Set(after.map(({ id }) => id))
  const changes: LineChange[] = [
    ...after.filter(({ id }) => !was.has(id)).map((line) => ({ key: `+${line.id}`, label: 'Line added', text: words(line) })),
    ...before.filter(({ id }) => !is.has(id)).map((line) => ({ key: `-${line.id}`, label: 'Line removed', text: <del>{words(line)}</del> })),
    ...after.flatMap((line) => {
      const old = was.get(line.id)
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
  return moved ? [{ key: 'order', label: 'Lines', text: 'in another order' }] : changes
}
