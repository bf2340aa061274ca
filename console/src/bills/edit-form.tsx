import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Currency, useCurrencies } from '../api/currencies.ts'
import { AddressText, type AddressValues } from '../billing/address.tsx'
import { CarrierName } from '../billing/carriers.tsx'
import { PayTermName } from '../billing/pay-term-name.tsx'
import { CancelButton, EditingForm } from '../editing/editing-form.tsx'
import { useEditing, type Version } from '../editing/use-editing.ts'
import { Panel } from '../parts/panel.tsx'
import { Day } from '../parts/when.tsx'
import type { Bill } from './bill.ts'
import { BillFields } from './fields.tsx'
import { billQuery, useUpdateBill } from './queries.ts'
import { bodyOf, fields, labels, problemsIn, type Values, valuesOf } from './values.ts'

type EditFormProps = { bill: Bill; hasLines: boolean; currency: Currency | undefined; done: () => void }

export function EditForm({ bill, hasLines, currency, done }: EditFormProps) {
  const queryClient = useQueryClient()
  const update = useUpdateBill(bill.id)
  const currencyOf = useCurrencies()
  const version = (now: Bill): Version<Values> => ({ revision: now.revision, values: valuesOf(now, currency) })
  const editing = useEditing<Values>({
    start: version(bill),
    load: async () => version((await queryClient.fetchQuery({ ...billQuery(bill.id), staleTime: 0 })).bill),
    save: async (changes, revision, all) => {
      await update.mutateAsync({ body: bodyOf(changes, all, currencyOf(all.currency_id)), revision })
      notifications.show({ message: 'Saved.' })
      done()
    },
    fields,
    validate: (values) => problemsIn(values, currencyOf(values.currency_id)),
  })
  return (
    <Panel title="Details">
      <EditingForm editing={editing} what="bill" labels={labels} show={show} submitLabel="Save changes" cancel={<CancelButton onClick={done} />}>
        <BillFields form={editing.form} currencyFixed={whyCurrencyIsFixed(bill, hasLines)} carrierFixed={onStatement(bill)} taxFixed={hasLines} />
      </EditingForm>
    </Panel>
  )
}

function whyCurrencyIsFixed(bill: Bill, hasLines: boolean): string | null {
  if (bill.status_id !== 'draft' && bill.status_id !== 'saved') return 'Fixed once it is sent.'
  if (hasLines && bill.currency_id) return 'Fixed while there are lines.'
  return onStatement(bill)
}

function onStatement({ consolidated_bill_id }: Bill): string | null {
  return consolidated_bill_id ? 'Fixed while it is on a statement.' : null
}

function show(field: keyof Values, values: Values): ReactNode {
  const value = values[field]
  if (field === 'partner_carrier_id') return <CarrierName id={values.partner_carrier_id} />
  if (field === 'pay_term_id') return <PayTermName id={values.pay_term_id} />
  if (field === 'bill_date' || field === 'due_date') return <Day at={values[field] || null} />
  if (field === 'is_tax_on') return value ? 'Yes' : 'No'
  if (field === 'remit_to' || field === 'bill_to') return <AddressText address={value as AddressValues} />
  if (field === 'currency_id') return values.currency_id?.toUpperCase() ?? '–'
  return String(value) || '–'
}
