import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AddressText, type AddressValues, addressFields, addressIn, addressValuesOf, LetterFields } from '../billing/address.tsx'
import { PayTermName } from '../billing/pay-term-name.tsx'
import { PayTermSelect } from '../billing/selects.tsx'
import { CancelButton, EditingForm } from '../editing/editing-form.tsx'
import { useEditing, type Version } from '../editing/use-editing.ts'
import { typedDayOf } from '../parts/dates.ts'
import { Panel } from '../parts/panel.tsx'
import { Day } from '../parts/when.tsx'
import { type Statement, statementQuery, useUpdateStatement } from './queries.ts'

type Values = {
  reference_number: string
  pay_period_start: string
  pay_period_end: string
  bill_date: string
  due_date: string
  pay_term_id: string | null
  send_to_email: string
  cc_to_email: string
  remit_to: AddressValues
  bill_to: AddressValues
  notes: string
}

const labels: Record<keyof Values, string> = {
  reference_number: 'Reference number',
  pay_period_start: 'Period from',
  pay_period_end: 'Period to',
  bill_date: 'Statement date',
  due_date: 'Due date',
  pay_term_id: 'Pay term',
  send_to_email: 'Send to',
  cc_to_email: 'Copy to',
  remit_to: 'Remit to',
  bill_to: 'Bill to',
  notes: 'Notes',
}
const fields = [...(['remit_to', 'bill_to'] as const).flatMap((name) => addressFields.map((field) => `${name}.${field}`)), ...Object.keys(labels)]
const days = ['pay_period_start', 'pay_period_end', 'bill_date', 'due_date'] as const

export function EditForm({ statement, done }: { statement: Statement; done: () => void }) {
  const queryClient = useQueryClient()
  const update = useUpdateStatement(statement.id)
  const editing = useEditing<Values>({
    start: versionOf(statement),
    load: async () => versionOf((await queryClient.fetchQuery({ ...statementQuery(statement.id), staleTime: 0 })).consolidated_bill),
    save: async (changes, revision) => {
      await update.mutateAsync({ body: bodyOf(changes), revision })
      notifications.show({ message: 'Saved.' })
      done()
    },
    fields,
  })
  const { form } = editing
  const input = (name: keyof Values & string) => ({ label: labels[name], autoComplete: 'off', ...form.getInputProps(name) })
  return (
    <Panel title="Details">
      <EditingForm editing={editing} what="statement" labels={labels} show={show} submitLabel="Save changes" cancel={<CancelButton onClick={done} />}>
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
            {days.map((day) => (
              <TextInput key={day} {...input(day)} type="date" />
            ))}
            <TextInput {...input('reference_number')} maxLength={255} />
            <PayTermSelect value={form.values.pay_term_id} onChange={(id) => form.setFieldValue('pay_term_id', id)} error={form.errors.pay_term_id} />
            <TextInput {...input('send_to_email')} inputMode="email" maxLength={1000} />
            <TextInput {...input('cc_to_email')} inputMode="email" maxLength={1000} />
          </SimpleGrid>
          <LetterFields form={form} notes={input('notes')} />
        </Stack>
      </EditingForm>
    </Panel>
  )
}

function versionOf(statement: Statement): Version<Values> {
  const { revision, pay_term_id } = statement
  const text = (name: 'reference_number' | 'send_to_email' | 'cc_to_email' | 'notes') => statement[name] ?? ''
  const values = {
    reference_number: text('reference_number'),
    ...(Object.fromEntries(days.map((day) => [day, typedDayOf(statement[day])])) as Record<(typeof days)[number], string>),
    pay_term_id,
    send_to_email: text('send_to_email'),
    cc_to_email: text('cc_to_email'),
    remit_to: addressValuesOf(statement.remit_to),
    bill_to: addressValuesOf(statement.bill_to),
    notes: text('notes'),
  }
  return { revision, values }
}

function bodyOf({ remit_to, bill_to, pay_term_id, ...texts }: Partial<Values>): object {
  return {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim() || null])),
    ...(pay_term_id !== undefined && { pay_term_id }),
    ...(remit_to && { remit_to: addressIn(remit_to) }),
    ...(bill_to && { bill_to: addressIn(bill_to) }),
  }
}

function show(field: keyof Values, values: Values): ReactNode {
  const value = values[field]
  if (field === 'pay_term_id') return <PayTermName id={values.pay_term_id} />
  if (field === 'remit_to' || field === 'bill_to') return <AddressText address={value as AddressValues} />
  if (days.some((day) => day === field)) return <Day at={(value as string) || null} />
  return (value as string) || '–'
}
