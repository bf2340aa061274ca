import { Button, Group, SegmentedControl, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useCurrency } from '../../../app/api/currencies.ts'
import { useOrganizationZone } from '../../../app/api/organization.ts'
import { fieldErrors } from '../../../app/api/problem.ts'
import { NotSaved } from '../../../app/editing/not-saved.tsx'
import { showFirstError } from '../../../app/editing/show-first-error.ts'
import { useUnsaved } from '../../../app/editing/unsaved.tsx'
import { CurrencySelect } from '../../../app/inputs/currency-select.tsx'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { Select } from '../../../app/inputs/select.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { momentOn, todayIn } from '../../../app/values/dates.ts'
import { readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import { bills } from '../../bills/kind.ts'
import type { DocumentKind } from '../../documents/kind.ts'
import { type Method, methodChoices } from '../../documents/methods.ts'
import { PaidOn } from '../../documents/moves/paid-on.tsx'
import { parties } from '../../documents/party.ts'
import { PartySelect, partyQuery } from '../../documents/shown/parties.tsx'
import { invoices } from '../../invoices/kind.ts'
import { canAllocateAll, readParts } from '../allocating/allocating.ts'
import { OpenDocuments, type TypedAmounts } from '../allocating/open-documents.tsx'
import { useOpenDocuments } from '../allocating/open-query.ts'
import { type NewPayment, useCreatePayment } from '../queries.ts'
import { LeftOut, useChosen, usePreset } from './chosen.tsx'
import type { NewSearch } from './routes.ts'

type Direction = 'out' | 'in'

/** What a payment of each direction settles, and how a document is named in an allocation. */
export const settles: Record<Direction, { kind: DocumentKind; idField: string }> = {
  out: { kind: bills, idField: 'bill_id' },
  in: { kind: invoices, idField: 'invoice_id' },
}

type Values = {
  party: string | null
  currency: string | null
  amount: string
  paidOn: string
  method: string | null
  reference: string
  notes: string
}
type Errors = Partial<Record<keyof Values, string>>

/** One payment over any number of documents of a carrier or customer. */
export function NewPage() {
  const asked = useSearch({ strict: false }) as NewSearch
  const [direction, setDirection] = useState<Direction>(asked.direction ?? 'out')
  const zone = useOrganizationZone()
  const today = todayIn(zone)
  const [values, setValues] = useState<Values>(() => ({
    ...blank(today),
    party: asked.party ?? null,
    currency: asked.currency ?? null,
  }))
  const [typed, setTyped] = useState<TypedAmounts>(new Map())
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const create = useCreatePayment()
  const currency = useCurrency(values.currency)
  const { kind, idField } = settles[direction]
  const { question } = useUnsaved(
    () => values.amount !== '' || typed.size > 0 || values.reference !== '' || values.notes !== '',
  )
  const set = (part: Partial<Values>) => setValues((now) => ({ ...now, ...part }))
  const read = currency && values.amount.trim() ? readAmount(values.amount, currency) : null
  const amount = read && 'amount' in read && read.amount > 0 ? read.amount : null

  const chosen = useChosen(asked, { direction, party: values.party, currency: values.currency })
  const open = useOpenDocuments({ kind, partyId: values.party, currencyId: values.currency, chosen })
  const isFilling = usePreset(chosen, open, currency, (typedParts, total) => {
    setTyped(typedParts)
    set({ amount: total })
  })

  const chooseParty = async (party: string | null) => {
    set({ party })
    setTyped(new Map())
    const found = party ? await queryClient.ensureQueryData(partyQuery(kind.party, party)).catch(() => null) : null
    if (found?.currency_id)
      setValues((now) => (now.party === party && now.currency === null ? { ...now, currency: found.currency_id } : now))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(null)
    const allocated = currency
      ? readParts(typed, open.data?.rows ?? [], currency)
      : { parts: new Map<string, number>(), sum: 0n, problems: {}, gone: [] }
    const wrong = errorsIn(values, read, parties[kind.party].label)
    setErrors(wrong)
    if (Object.keys(wrong).length > 0 || !canAllocateAll(allocated) || amount === null)
      return showFirstError(element.current)
    if (allocated.sum > BigInt(amount)) {
      setProblem('More is allocated than the amount of the payment.')
      return showFirstError(element.current)
    }
    const body = {
      direction,
      [parties[kind.party].field]: values.party,
      currency_id: values.currency,
      amount,
      method: values.method as Method,
      paid_at: values.paidOn === today ? undefined : momentOn(values.paidOn, zone),
      reference_number: values.reference.trim() || null,
      notes: values.notes.trim() || null,
      allocations: [...allocated.parts].map(([id, part]) => ({ [idField]: id, amount: part })),
    } as unknown as NewPayment
    try {
      const { payment } = await create.mutateAsync(body)
      notifications.show({ message: `${payment.number ?? 'The payment'} was recorded.` })
      await navigate({ to: `/payments/${payment.id}`, ignoreBlocker: true })
    } catch (error) {
      const { byField, rest } = fieldErrors(error, [
        'amount',
        'method',
        'reference_number',
        'notes',
        'paid_at',
        'currency_id',
      ])
      setErrors({
        ...byField,
        ...(byField.reference_number && { reference: byField.reference_number }),
        ...(byField.paid_at && { paidOn: byField.paid_at }),
      })
      setProblem(rest ?? byField.currency_id ?? null)
      showFirstError(element.current)
    }
  }
  return (
    <Page
      title="Record a payment"
      lead="The amount settles the documents that you choose. What is left can be allocated later."
      above={{ label: 'Payments', to: '/payments' }}
    >
      <form ref={element} onSubmit={(event) => void submit(event)} noValidate>
        <NotSaved problem={problem} title="The payment was not recorded" />
        <Panel title="Payment">
          <SegmentedControl
            mb="md"
            aria-label="Direction"
            data={[
              { value: 'out', label: 'To a carrier' },
              { value: 'in', label: 'From a customer' },
            ]}
            value={direction}
            onChange={(next) => {
              setDirection(next as Direction)
              set({ party: null })
              setTyped(new Map())
            }}
          />
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
            <PartySelect
              key={direction}
              party={kind.party}
              required
              value={values.party}
              onChange={(id) => void chooseParty(id)}
              error={errors.party}
            />
            <CurrencySelect
              required
              value={values.currency}
              onChange={(next) => {
                set({ currency: next })
                setTyped(new Map())
              }}
              error={errors.currency}
            />
            <NumberInput
              label={currency ? `Amount, ${currency.iso_4217}` : 'Amount'}
              required
              disabled={!currency}
              value={values.amount}
              onChange={(next) => set({ amount: next })}
              error={errors.amount}
              shownBack={(text) =>
                currency
                  ? textAfterLeaving(text, readAmount(text, currency), (read) =>
                      typedAmountOf(read, currency.minor_units),
                    )
                  : text
              }
            />
            <PaidOn value={values.paidOn} change={(paidOn) => set({ paidOn })} error={errors.paidOn} />
            <Select
              label="Method"
              choices={methodChoices}
              value={values.method}
              onChange={(method) => set({ method })}
              error={errors.method}
            />
            <TextInput
              label="Reference number"
              maxLength={255}
              autoComplete="off"
              value={values.reference}
              onChange={(event) => set({ reference: event.currentTarget.value })}
              error={errors.reference}
            />
          </SimpleGrid>
          <Textarea
            label="Notes"
            mt="sm"
            autosize
            minRows={1}
            maxLength={10_000}
            value={values.notes}
            onChange={(event) => set({ notes: event.currentTarget.value })}
          />
        </Panel>
        <Panel title={`Open ${kind.many}`}>
          {values.party && currency ? (
            <>
              <LeftOut kind={kind} chosen={chosen} open={open.data} />
              <OpenDocuments
                kind={kind}
                open={open}
                currency={currency}
                amount={amount}
                typed={typed}
                change={setTyped}
              />
            </>
          ) : (
            <Text size="sm" c="dimmed">
              Choose the {kind.party} and the currency to see what is open.
            </Text>
          )}
        </Panel>
        <Group>
          <Button type="submit" loading={create.isPending} disabled={isFilling}>
            Record payment
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/payments" {...props} />}>
            Cancel
          </Button>
        </Group>
      </form>
      {question}
    </Page>
  )
}

function blank(paidOn: string): Values {
  return { party: null, currency: null, amount: '', paidOn, method: 'ach', reference: '', notes: '' }
}

function errorsIn(
  { party, currency, paidOn }: Values,
  amount: ReturnType<typeof readAmount> | null,
  partyLabel: string,
): Errors {
  const wrongAmount = !amount
    ? 'Enter the amount.'
    : 'problem' in amount
      ? amount.problem
      : amount.amount > 0
        ? null
        : 'Enter an amount above 0.'
  return {
    ...(!party && { party: `Choose the ${partyLabel.toLowerCase()}.` }),
    ...(!currency && { currency: 'Choose the currency.' }),
    ...(wrongAmount && { amount: wrongAmount }),
    ...(!paidOn && { paidOn: 'Enter the date of the payment.' }),
  }
}
