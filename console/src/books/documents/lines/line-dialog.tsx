import { Button, Group, Modal, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import type { Currency } from '../../../app/api/currencies.ts'
import { fieldErrors, Problem } from '../../../app/api/problem.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { useUnsaved } from '../../../app/editing/unsaved.tsx'
import { isSame } from '../../../app/editing/use-editing.ts'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { RemoteSelect } from '../../../app/inputs/remote-select.tsx'
import { moneyOf, productOf, readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { type NumberReading, readQuantity, textAfterLeaving } from '../../../app/values/numbers.ts'
import { choiceQuery, choicesQuery } from '../../../settings/bill-item-types/queries.ts'
import { choicesQuery as taxesQuery, choiceQuery as taxQuery } from '../../../settings/tax-rates/queries.ts'
import type { LineContent } from '../document.ts'

export type LineChoice = LineContent & { typeName: string | null }

type LineDialogProps = {
  /** The document, as in a sentence. */
  what: string
  title: string
  line: LineChoice | null
  currency: Currency
  save: (line: LineChoice) => Promise<unknown>
  /** Reads the document again after somebody else changed it; the typed values stay. */
  load?: () => Promise<unknown>
  close: () => void
}

type Values = {
  bill_item_type_id: string | null
  description: string
  quantity: string
  unit_price: string
  tax_rate_id: string | null
}

export function LineDialog({ what, title, line, currency, save, load, close }: LineDialogProps) {
  const [typeName, setTypeName] = useState(line?.typeName ?? null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [busy, setBusy] = useState<'once' | 'again' | null>(null)
  const first = useRef<HTMLInputElement>(null)
  const [start] = useState(() => valuesOf(line, currency))
  const form = useForm<Values>({
    initialValues: start,
    validate: {
      quantity: (text) => problemIn(readQuantity(text)),
      unit_price: (text) => problemIn(readAmount(text, currency)),
    },
  })
  const { close: leave, question } = useUnsaved(() => !isSame(start, form.getValues()))
  const cancel = () => leave(close)
  const submit = async (again: boolean) => {
    const { bill_item_type_id, description, tax_rate_id } = form.values
    const [quantity, price] = [readQuantity(form.values.quantity), readAmount(form.values.unit_price, currency)]
    if (form.validate().hasErrors || 'problem' in quantity || 'problem' in price) return
    setRefusal(null)
    setBusy(again ? 'again' : 'once')
    try {
      await save({
        bill_item_type_id,
        typeName,
        description: description.trim() || null,
        quantity: quantity.amount,
        unit_price: price.amount,
        tax_rate_id,
      })
      if (!again) return close()
      form.setValues(valuesOf(null, currency))
      setTypeName(null)
      first.current?.focus()
    } catch (error) {
      const { byField, rest } = fieldErrors(error, [
        'bill_item_type_id',
        'description',
        'quantity',
        'unit_price',
        'tax_rate_id',
      ])
      form.setErrors(byField)
      setRefusal(rest ? error : null)
    } finally {
      setBusy(null)
    }
  }
  return (
    <Modal opened onClose={cancel} title={title}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          // React passes events of a dialog on to the form of the page that opened it.
          event.stopPropagation()
          void submit(false)
        }}
      >
        <Stack gap="md">
          <RemoteSelect
            ref={first}
            label="Type"
            clearable
            search={choicesQuery}
            one={choiceQuery}
            value={form.values.bill_item_type_id}
            valueLabel={typeName}
            onChange={(id, name) => {
              form.setFieldValue('bill_item_type_id', id)
              setTypeName(name)
            }}
            error={form.errors.bill_item_type_id}
            data-autofocus
          />
          <Textarea
            label="Description"
            maxLength={1000}
            autosize
            minRows={1}
            maxRows={6}
            {...form.getInputProps('description')}
          />
          <SimpleGrid cols={2} spacing="sm">
            <NumberInput
              label="Quantity"
              required
              inputMode="numeric"
              {...form.getInputProps('quantity')}
              value={form.values.quantity}
              shownBack={(typed) => textAfterLeaving(typed, readQuantity(typed), String)}
            />
            <NumberInput
              label={`Unit price, ${currency.iso_4217}`}
              required
              {...form.getInputProps('unit_price')}
              value={form.values.unit_price}
              shownBack={(typed) =>
                textAfterLeaving(typed, readAmount(typed, currency), (amount) =>
                  typedAmountOf(amount, currency.minor_units),
                )
              }
            />
          </SimpleGrid>
          <RemoteSelect
            label="Tax rate"
            clearable
            search={taxesQuery}
            one={taxQuery}
            value={form.values.tax_rate_id}
            onChange={(id) => form.setFieldValue('tax_rate_id', id)}
            error={form.errors.tax_rate_id}
          />
          <LineTotal values={form.values} currency={currency} />
          <Refused
            error={refusal}
            what={what}
            load={async () => {
              await load?.()
              setRefusal(null)
            }}
          />
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          {!line && (
            <Button
              variant="default"
              onClick={() => void submit(true)}
              loading={busy === 'again'}
              disabled={busy === 'once'}
            >
              Add and continue
            </Button>
          )}
          <Button type="submit" loading={busy === 'once'} disabled={busy === 'again' || isStale(refusal)}>
            {line ? 'Save line' : 'Add line'}
          </Button>
        </Group>
      </form>
      {question}
    </Modal>
  )
}

function LineTotal({ values, currency }: { values: Values; currency: Currency }) {
  const [quantity, price] = [readQuantity(values.quantity), readAmount(values.unit_price, currency)]
  return (
    <Text size="sm" ta="right" aria-live="polite">
      Line total{' '}
      <b>
        {'amount' in quantity && 'amount' in price ? moneyOf(productOf(price.amount, quantity.amount), currency) : '–'}
      </b>
    </Text>
  )
}

function valuesOf(line: LineChoice | null, { minor_units }: Currency): Values {
  return {
    bill_item_type_id: line?.bill_item_type_id ?? null,
    description: line?.description ?? '',
    quantity: String(line?.quantity ?? 1),
    unit_price: line ? typedAmountOf(line.unit_price, minor_units) : '',
    tax_rate_id: line?.tax_rate_id ?? null,
  }
}

function problemIn(read: NumberReading): string | null {
  return 'problem' in read ? read.problem : null
}

function isStale(refusal: unknown): boolean {
  return refusal instanceof Problem && refusal.status === 412
}
