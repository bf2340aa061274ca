import { Button, Group } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCurrency } from '../../../app/api/currencies.ts'
import { useBooksToday } from '../../../app/api/organization.ts'
import { fieldErrors, Problem } from '../../../app/api/problem.ts'
import { NotSaved } from '../../../app/editing/not-saved.tsx'
import { showFirstError } from '../../../app/editing/show-first-error.ts'
import { useUnsaved } from '../../../app/editing/unsaved.tsx'
import { isSame } from '../../../app/editing/use-editing.ts'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { moneyOf, productOf, readAmount, sumOf } from '../../../app/values/money.ts'
import { fieldsWithInput, type NamedField } from '../field.ts'
import { type DocumentKind, pathOf } from '../kind.ts'
import type { LineChoice } from '../lines/line-dialog.tsx'
import { type Line, LinesTable } from '../lines/lines-table.tsx'
import { moveLine } from '../lines/order.ts'
import { Totals } from '../lines/totals.tsx'
import { parties } from '../party.ts'
import { useCreateDocument } from '../queries.ts'
import { blankValues, bodyOf, errorNamesOf, type FormValues, problemsIn } from '../values.ts'
import { Inputs } from './inputs.tsx'
import { usePartyDefaults } from './party-defaults.ts'

/** What is below the lines: it comes from the party, or is seldom needed. */
const isLater = ({ kind }: NamedField) => kind === 'address' || kind === 'longText'

/** The form of a new document. The address may name its carrier or customer, as links of their pages do. */
export function NewDocument({ kind }: { kind: DocumentKind }) {
  const { fields } = kind.list
  const partyField = parties[kind.party].field
  const { [kind.party]: party = null } = useSearch({ strict: false }) as Record<string, string | undefined>
  const create = useCreateDocument(kind)
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const { lines, actions } = useUnsavedLines((line) => void (line.tax_rate_id && form.setFieldValue('is_tax_on', true)))
  const element = useRef<HTMLFormElement>(null)
  const today = useBooksToday()
  const [start] = useState(
    (): FormValues => ({ ...blankValues(fields, 'new'), [kind.dateField]: today, [partyField]: party }),
  )
  const form = useForm<FormValues>({
    // Every input reads its own value, so that typing does not draw the whole form again.
    mode: 'uncontrolled',
    initialValues: start,
    validate: (values) => problemsIn(fields, values, currencyRef.current),
  })
  const { question } = useUnsaved(() => lines.length > 0 || !isSame(start, form.getValues()))
  const currency = useCurrency(form.useWatchValue('currency_id') as string | null)
  // The form keeps the first `validate` it was given, so that one reads the chosen currency from here.
  const currencyRef = useRef(currency)
  currencyRef.current = currency
  const fillFromParty = usePartyDefaults(kind.party, form, lines.length > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened, which a link of a party's page does with its id
  useEffect(() => void (party && fillFromParty(party)), [])
  const submit = form.onSubmit(
    async (values) => {
      setProblem(null)
      const items = lines.map(({ key: _, typeName: __, taxAmount: ___, ...line }) => line)
      try {
        const id = await create.mutateAsync({
          ...bodyOf(fields, values, values, currency),
          ...(items.length > 0 && { items }),
        })
        await navigate({ to: `${pathOf(kind)}/${id}`, ignoreBlocker: true })
      } catch (error) {
        const { byField, rest } = fieldErrors(error, errorNamesOf(fields))
        form.setErrors(byField)
        setProblem(rest ?? wordsForLines(error))
        showFirstError(element.current)
      }
    },
    () => showFirstError(element.current),
  )
  const situation = { record: null, hasLines: lines.length > 0 }
  const onChange = (name: string, value: unknown) => void (name === partyField && fillFromParty(value as string | null))
  const inputs = fieldsWithInput(fields, 'new')
  return (
    <Page
      title={`New ${kind.one}`}
      lead={`The ${kind.one} is created as a draft: it is not sent, and everything in it can still be changed.`}
      above={{ label: kind.title, to: pathOf(kind) }}
    >
      <form ref={element} onSubmit={submit} noValidate>
        <NotSaved problem={problem} title={`The ${kind.one} was not created`} />
        <Panel title="Details">
          <Inputs
            form={form}
            fields={inputs.filter((field) => !isLater(field))}
            situation={situation}
            columns={4}
            onChange={onChange}
          />
        </Panel>
        <Panel title="Lines">
          <LinesTable what={kind.one} lines={lines} currency={currency} actions={actions} />
          <NewTotals lines={lines} form={form} />
        </Panel>
        <Panel title="Notes and addresses">
          <Inputs form={form} fields={inputs.filter(isLater)} situation={situation} />
        </Panel>
        <Group>
          <Button type="submit" loading={form.submitting}>
            Create draft
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to={pathOf(kind)} {...props} />}>
            Cancel
          </Button>
        </Group>
      </form>
      {question}
    </Page>
  )
}

/** The lines of a document that is not created yet. */
function useUnsavedLines(onLine: (line: LineChoice) => void) {
  const [lines, setLines] = useState<readonly Line[]>([])
  const next = useRef(1)
  const actions = {
    add: async (line: LineChoice) => {
      setLines((now) => [...now, { ...line, key: String(next.current++) }])
      onLine(line)
    },
    change: async ({ key }: Line, line: LineChoice) => {
      setLines((now) => now.map((one) => (one.key === key ? { ...line, key } : one)))
      onLine(line)
    },
    remove: ({ key }: Line) => setLines((now) => now.filter((one) => one.key !== key)),
    move: ({ key }: Line, by: -1 | 1) => setLines((now) => moveLine(now, key, by)),
  }
  return { lines, actions }
}

function NewTotals({ lines, form }: { lines: readonly Line[]; form: UseFormReturnType<FormValues> }) {
  const currency = useCurrency(form.useWatchValue('currency_id') as string | null)
  const [isTaxOn, typedTax] = [form.useWatchValue('is_tax_on'), form.useWatchValue('tax_amount')]
  if (!currency || lines.length === 0) return null
  // The taxes of lines are rounded by the server, rate by rate.
  const isByLine = lines.some(({ tax_rate_id }) => tax_rate_id)
  const subTotal = sumOf(lines.map(({ unit_price, quantity }) => productOf(unit_price, quantity)))
  const read = isTaxOn ? readAmount((typedTax as string) || '0', currency) : null
  const tax = read && 'amount' in read ? BigInt(read.amount) : null
  if (isTaxOn && isByLine)
    return <Totals subTotal={moneyOf(subTotal, currency)} tax="from the lines" total="on creation" />
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
