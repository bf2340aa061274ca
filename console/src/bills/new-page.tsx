import { Button, Group } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCurrency } from '../api/currencies.ts'
import { fieldErrors, Problem } from '../api/problem.ts'
import { fieldsWithInput, type NamedField } from '../billing/documents/field.ts'
import { Inputs } from '../billing/documents/inputs.tsx'
import { blankValues, bodyOf, errorNamesOf, problemsIn } from '../billing/documents/values.ts'
import { useUnsaved } from '../editing/unsaved.tsx'
import { isSame } from '../editing/use-editing.ts'
import { today } from '../parts/dates.ts'
import { moneyOf, productOf, readAmount, sumOf } from '../parts/money.ts'
import { NotSaved } from '../parts/not-saved.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { showFirstError } from '../parts/show-first-error.ts'
import { useCarrierDefaults } from './carrier-defaults.ts'
import { type BillValues, billFields } from './fields.ts'
import type { LineChoice } from './line-dialog.tsx'
import { type Line, LinesTable } from './lines-table.tsx'
import { moved } from './order.ts'
import { useCreateBill } from './queries.ts'
import { Totals } from './totals.tsx'

const inputs = fieldsWithInput(billFields, 'new')
/** What is below the lines: it comes from the carrier, or is seldom needed. */
const isLater = ({ kind }: NamedField) => kind === 'address' || kind === 'longText'
const [first, later] = [inputs.filter((field) => !isLater(field)), inputs.filter(isLater)]
const blank = (): BillValues => ({ ...(blankValues(billFields, 'new') as BillValues), bill_date: today() })

export function NewPage() {
  const { carrier = null } = useSearch({ strict: false }) as { carrier?: string }
  const create = useCreateBill()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const { lines, actions } = useUnsavedLines()
  const element = useRef<HTMLFormElement>(null)
  const [start] = useState(() => ({ ...blank(), partner_carrier_id: carrier }))
  const form = useForm<BillValues>({
    // Every input reads its own value, so that typing does not draw the whole form again.
    mode: 'uncontrolled',
    initialValues: start,
    validate: (values) => problemsIn(billFields, values, currencyRef.current),
  })
  const { question } = useUnsaved(() => lines.length > 0 || !isSame(start, form.getValues()))
  const currency = useCurrency(form.useWatchValue('currency_id'))
  // The form keeps the first `validate` it was given, so that one reads the chosen currency from here.
  const currencyRef = useRef(currency)
  currencyRef.current = currency
  const fillFromCarrier = useCarrierDefaults(form, lines.length > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened, which a link of a carrier's page does with its id
  useEffect(() => void (carrier && fillFromCarrier(carrier)), [])
  const submit = form.onSubmit(
    async (values) => {
      setProblem(null)
      const items = lines.map(({ key: _, typeName: __, ...line }) => line)
      try {
        const { bill } = await create.mutateAsync({ ...bodyOf(billFields, values, values, currency), ...(items.length > 0 && { items }) })
        await navigate({ to: `/bills/${bill.id}`, ignoreBlocker: true })
      } catch (error) {
        const { byField, rest } = fieldErrors(error, errorNamesOf(billFields))
        form.setErrors(byField)
        setProblem(rest ?? wordsForLines(error))
        showFirstError(element.current)
      }
    },
    () => showFirstError(element.current),
  )
  const situation = { record: null, hasLines: lines.length > 0 }
  const onChange = (name: string, value: unknown) => void (name === 'partner_carrier_id' && fillFromCarrier(value as string | null))
  return (
    <Page
      title="New bill"
      lead="The bill is created as a draft: it is not sent, and everything in it can still be changed."
      above={{ label: 'Bills', to: '/bills' }}
    >
      <form ref={element} onSubmit={submit} noValidate>
        <NotSaved problem={problem} title="The bill was not created" />
        <Panel title="Details">
          <Inputs form={form} fields={first} situation={situation} columns={4} onChange={onChange} />
        </Panel>
        <Panel title="Lines">
          <LinesTable lines={lines} currency={currency} actions={actions} />
          <NewTotals lines={lines} form={form} />
        </Panel>
        <Panel title="Notes and addresses">
          <Inputs form={form} fields={later} situation={situation} />
        </Panel>
        <Group>
          <Button type="submit" loading={form.submitting}>
            Create draft
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/bills" {...props} />}>
            Cancel
          </Button>
        </Group>
      </form>
      {question}
    </Page>
  )
}

/** The lines of a bill that is not created yet. */
function useUnsavedLines() {
  const [lines, setLines] = useState<readonly Line[]>([])
  const next = useRef(1)
  const actions = {
    add: async (line: LineChoice) => setLines((now) => [...now, { ...line, key: String(next.current++) }]),
    change: async ({ key }: Line, line: LineChoice) => setLines((now) => now.map((one) => (one.key === key ? { ...line, key } : one))),
    remove: ({ key }: Line) => setLines((now) => now.filter((one) => one.key !== key)),
    move: ({ key }: Line, by: -1 | 1) => setLines((now) => moved(now, key, by)),
  }
  return { lines, actions }
}

function NewTotals({ lines, form }: { lines: readonly Line[]; form: UseFormReturnType<BillValues> }) {
  const currency = useCurrency(form.useWatchValue('currency_id'))
  const [isTaxOn, typedTax] = [form.useWatchValue('is_tax_on'), form.useWatchValue('tax_amount')]
  if (!currency || lines.length === 0) return null
  const subTotal = sumOf(lines.map(({ unit_price, quantity }) => productOf(unit_price, quantity)))
  const read = isTaxOn ? readAmount(typedTax || '0', currency) : null
  const tax = read && 'amount' in read ? BigInt(read.amount) : null
  return (
    <Totals
      subTotal={moneyOf(subTotal, currency)}
      tax={tax === null ? null : moneyOf(tax, currency)}
      total={read && 'problem' in read ? '–' : moneyOf(subTotal + (tax ?? 0n), currency)}
    />
  )
}

function wordsForLines(error: unknown): string | null {
  const about = error instanceof Problem ? error.details.filter(({ field }) => field?.startsWith('items')) : []
  return about.length > 0 ? about.map(({ message }) => message).join(' ') : null
}
