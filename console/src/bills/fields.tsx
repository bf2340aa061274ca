import { Checkbox, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useCurrency } from '../api/currencies.ts'
import { LetterFields } from '../billing/address.tsx'
import { CarrierSelect } from '../billing/carriers.tsx'
import { CurrencySelect, PayTermSelect } from '../billing/selects.tsx'
import { labels, type Values } from './values.ts'

type BillFieldsProps = {
  form: UseFormReturnType<Values>
  /** Why the currency cannot change, where it cannot. */
  currencyFixed: string | null
  carrierFixed?: string | null
  /** The tax of a bill with lines is set once, when it is made. */
  taxFixed?: boolean
  onCarrier?: (id: string | null) => void
}

/** Fields beside one another stay in line, whether they have something to explain or not. */
const descriptionBelow: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** What a bill says beside its lines. */
export function BillFields({ form, currencyFixed, carrierFixed = null, taxFixed = false, onCarrier }: BillFieldsProps) {
  const { values, errors } = form
  const currency = useCurrency(values.currency_id)
  const input = (name: keyof Values & string) => ({ label: labels[name], autoComplete: 'off', ...form.getInputProps(name) })
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
        <CarrierSelect
          value={values.partner_carrier_id}
          onChange={(id) => {
            form.setFieldValue('partner_carrier_id', id)
            onCarrier?.(id)
          }}
          error={errors.partner_carrier_id}
          {...fixedBy(carrierFixed)}
        />
        <CurrencySelect
          value={values.currency_id}
          onChange={(id) => form.setFieldValue('currency_id', id)}
          error={errors.currency_id}
          {...fixedBy(currencyFixed)}
        />
        <TextInput {...input('reference_number')} maxLength={255} />
        <TextInput {...input('bill_date')} type="date" />
        <PayTermSelect value={values.pay_term_id} onChange={(id) => form.setFieldValue('pay_term_id', id)} error={errors.pay_term_id} />
        <TextInput
          {...input('due_date')}
          type="date"
          inputWrapperOrder={descriptionBelow}
          description={values.due_date ? undefined : 'By the pay term, when it is saved.'}
        />
        <TextInput {...input('send_to_email')} inputMode="email" maxLength={1000} />
        <TextInput {...input('cc_to_email')} inputMode="email" maxLength={1000} />
        <div>
          <Checkbox
            mt={{ base: 0, xs: 30 }}
            label={labels.is_tax_on}
            checked={values.is_tax_on}
            onChange={(event) => form.setFieldValue('is_tax_on', event.currentTarget.checked)}
          />
          {values.is_tax_on && !taxFixed && (
            <TextInput {...input('tax_amount')} mt="xs" inputMode="decimal" disabled={!currency} label={currency ? `Tax, ${currency.iso_4217}` : 'Tax'} />
          )}
        </div>
      </SimpleGrid>
      <LetterFields form={form} notes={input('notes')} />
    </Stack>
  )
}

/** Not switched off, which would be too pale to read: what is fixed is still worth knowing. */
function fixedBy(why: string | null) {
  return { description: why, inputWrapperOrder: descriptionBelow, ...(why !== null && { readOnly: true, clearable: false, variant: 'filled' }) }
}
