import { Alert, Button, Group } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useCurrency } from '../api/currencies.ts'
import { fieldErrors, Problem } from '../api/problem.ts'
import { type AddressValues, addressValuesOf } from '../billing/address.tsx'
import { type Carrier, carrierQuery } from '../billing/carriers.tsx'
import { today } from '../parts/dates.ts'
import { moneyOf, productOf, readAmount, sumOf } from '../parts/money.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { showFirstError } from '../parts/show-first-error.ts'
import { payTermsQuery } from '../pay-terms/queries.ts'
import { BillFields } from './fields.tsx'
import type { LineChoice } from './line-dialog.tsx'
import { type Line, LinesTable } from './lines-table.tsx'
import { moved } from './order.ts'
import { useCreateBill } from './queries.ts'
import { Totals } from './totals.tsx'
import { bodyOf, fields, problemsIn, type Values } from './values.ts'

const blank = (): Values => ({
  partner_carrier_id: null,
  currency_id: null,
  reference_number: '',
  bill_date: today(),
  due_date: '',
  pay_term_id: null,
  is_tax_on: false,
  tax_amount: '',
  send_to_email: '',
  cc_to_email: '',
  remit_to: addressValuesOf(null),
  bill_to: addressValuesOf(null),
  notes: '',
})

export function NewPage() {
  const create = useCreateBill()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const { lines, actions } = useOwnLines()
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<Values>({ initialValues: blank(), validate: (values) => problemsIn(values, currencyRef.current) })
  const currency = useCurrency(form.values.currency_id)
  // The check of the form is older than the currency that is chosen in it.
  const currencyRef = useRef(currency)
  currencyRef.current = currency
  const takeFromCarrier = useCarrierDefaults(form, lines.length > 0)
  const submit = form.onSubmit(
    async (values) => {
      setProblem(null)
      const items = lines.map(({ key: _, typeName: __, ...line }) => line)
      try {
        const { bill } = await create.mutateAsync({ ...bodyOf(values, values, currency), ...(items.length > 0 && { items }) })
        await navigate({ to: `/bills/${bill.id}` })
      } catch (error) {
        const { byField, rest } = fieldErrors(error, fields)
        form.setErrors(byField)
        setProblem(rest ?? wordsForLines(error))
        showFirstError(element.current)
      }
    },
    () => showFirstError(element.current),
  )
  return (
    <Page title="New bill" lead="It starts as a draft: nothing is sent, and everything can still be changed." above={{ label: 'Bills', to: '/bills' }}>
      <form ref={element} onSubmit={submit} noValidate>
        {problem && (
          <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title="Not created">
            {problem}
          </Alert>
        )}
        <Panel title="Details">
          <BillFields form={form} currencyFixed={lines.length > 0 ? 'Fixed while there are lines.' : null} onCarrier={takeFromCarrier} />
        </Panel>
        <Panel title="Lines">
          <LinesTable lines={lines} currency={currency} actions={actions} />
          <NewTotals lines={lines} values={form.values} />
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
    </Page>
  )
}

/** Lines that are nowhere yet but here. */
function useOwnLines() {
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

type Defaults = Pick<Values, 'currency_id' | 'pay_term_id' | 'send_to_email' | 'remit_to'>

/** A carrier knows where its money goes. What the clerk typed stays; what the carrier chosen before had filled in goes with it. */
function useCarrierDefaults(form: Pick<UseFormReturnType<Values>, 'setValues'>, hasLines: boolean) {
  const queryClient = useQueryClient()
  const wanted = useRef<string | null>(null)
  const filled = useRef<Partial<Defaults>>({})
  const find = async (id: string): Promise<Defaults> => {
    const carrier = await queryClient.ensureQueryData(carrierQuery(id))
    const terms = carrier.pay_term ? await queryClient.ensureQueryData(payTermsQuery({ search_term: carrier.pay_term })) : null
    return {
      currency_id: carrier.currency,
      pay_term_id: terms?.pay_terms.find(({ name }) => name === carrier.pay_term)?.id ?? null,
      send_to_email: carrier.email ?? '',
      remit_to: addressValuesOf(payeeAddress(carrier)),
    }
  }
  return async (id: string | null) => {
    wanted.current = id
    const defaults = id ? await find(id).catch(() => null) : blank()
    // They may have chosen another while this one was on its way.
    if (!defaults || wanted.current !== id) return
    const before = filled.current
    filled.current = defaults
    form.setValues((now) => {
      const names = (['currency_id', 'pay_term_id', 'send_to_email', 'remit_to'] as const).filter((name) => !(name === 'currency_id' && hasLines))
      const free = names.filter((name) => isEmpty(now[name]) || JSON.stringify(now[name]) === JSON.stringify(before[name]))
      return { ...now, ...Object.fromEntries(free.map((name) => [name, defaults[name]])) }
    })
  }
}

function payeeAddress({ remit_to, name, contact_name, address, city, state, postal, country }: Carrier) {
  return remit_to ?? { company_name: name, contact_name, address_1: address, city, state, postal, country }
}

function isEmpty(value: string | Partial<AddressValues> | null | undefined): boolean {
  return typeof value === 'object' && value ? Object.values(value).every((part) => !part) : !value
}

function NewTotals({ lines, values }: { lines: readonly Line[]; values: Values }) {
  const currency = useCurrency(values.currency_id)
  if (!currency || lines.length === 0) return null
  const subTotal = sumOf(lines.map(({ unit_price, quantity }) => productOf(unit_price, quantity)))
  const read = values.is_tax_on ? readAmount(values.tax_amount || '0', currency) : null
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
