import { Button, FileButton, SimpleGrid, Text, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsFor } from '../../app/api/problem.ts'
import { useField } from '../../app/editing/use-field.ts'
import { documentsQuery } from '../../app/files/queries.ts'
import { typeFor } from '../../app/files/types.ts'
import { upload } from '../../app/files/upload.ts'
import { IconUpload } from '../../app/icons/icons.ts'
import { AddressFields } from '../../app/inputs/address.tsx'
import { RemoteSelect } from '../../app/inputs/remote-select.tsx'
import { Select } from '../../app/inputs/select.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { methodWords } from '../../books/documents/methods.ts'
import { factorQuery, factorsQuery, noticeQuery, type Payee } from './queries.ts'
import { bankFieldsOf, type PayoutMethod, type Values } from './values.ts'
import { accountTypes, bankLabels, labels } from './words.tsx'

export type PayeeForm = UseFormReturnType<Values>

/** The names by which the server says what is wrong; the longer ones first, because a name holds for what is below it. */
export const errorFields = [
  ...Object.keys(bankLabels).map((field) => `bank_details.${field}`),
  'partner_carrier_id',
  ...Object.keys(labels),
]

const methods = (['ach', 'wire', 'check', 'other'] as const).map((value) => ({ value, label: methodWords[value] }))
const below: NonNullable<TextInputProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error']

/** How it is paid: the method decides what else is asked. `payee` is the one that is changed, whose details are shown masked. */
export function PaidPanel({ form, payee }: { form: PayeeForm; payee: Payee | null }) {
  const method = useField<PayoutMethod>(form, 'method')
  return (
    <Panel
      title="How it is paid"
      {...(payee && { lead: 'What you change here waits until a second person has approved it.' })}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mb="md">
        <TextField
          form={form}
          path="name"
          label={labels.name as string}
          description="As the bank knows it."
          required
          maxLength={255}
        />
        <Select
          label={labels.method}
          choices={methods}
          value={method.value}
          onChange={(next) => next && method.set(next as PayoutMethod)}
          error={method.error}
        />
      </SimpleGrid>
      {bankFieldsOf[method.value].length > 0 && <BankFields form={form} payee={payee} method={method.value} />}
      {method.value === 'check' && <AddressFields form={form} path="address" legend={labels.address as string} />}
    </Panel>
  )
}

function BankFields({ form, payee, method }: { form: PayeeForm; payee: Payee | null; method: PayoutMethod }) {
  const type = useField<string>(form, 'bank_details.account_type')
  const isKept = payee?.bank_details !== null && payee !== null
  const error = form.errors.bank_details
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" fw={600} size="sm" mb="xs">
        {labels.bank_details}
      </Text>
      {(isKept || method === 'wire') && (
        <Text size="sm" c="dimmed" mb="xs">
          {isKept && 'Leave these empty to keep the details as they are. What you enter replaces all of them. '}
          {method === 'wire' && 'A wire needs the IBAN, or the account number with the BIC or the routing number.'}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {bankFieldsOf[method].map((field) =>
          field === 'account_type' ? (
            <Select
              key={field}
              label={bankLabels[field]}
              choices={accountTypes}
              value={type.value}
              onChange={(next) => next && type.set(next)}
            />
          ) : (
            <TextField
              key={field}
              form={form}
              path={`bank_details.${field}`}
              label={bankLabels[field]}
              maxLength={field === 'bank_name' ? 140 : 60}
              spellCheck={false}
              {...(payee?.bank_details?.[field] && { placeholder: payee.bank_details[field] })}
            />
          ),
        )}
      </SimpleGrid>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  )
}

/** The factoring company to which the carrier has assigned what it is owed, and its notice. */
export function FactoringPanel({ form, carrier }: { form: PayeeForm; carrier: string | null }) {
  const factor = useField<string | null>(form, 'factor_payee_id')
  const choose = (next: string | null) => {
    factor.set(next)
    if (next) return
    form.setFieldValue('notice_of_assignment_on', '')
    form.setFieldValue('notice_document_id', null)
  }
  return (
    <Panel
      title="Factoring"
      lead="A carrier that has sold its invoices sends a notice of assignment: then everything goes to the factoring company."
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <RemoteSelect
          label={labels.factor_payee_id}
          clearable
          noneLabel="None: the carrier itself is paid"
          value={factor.value}
          onChange={choose}
          search={factorsQuery}
          one={factorQuery}
          error={factor.error}
          nothingFoundMessage="No factoring company found. Create its payee first."
        />
        {factor.value && (
          <>
            <TextField form={form} path="notice_of_assignment_on" type="date" label="Day of the notice" required />
            <NoticeField form={form} carrier={carrier} />
          </>
        )}
      </SimpleGrid>
    </Panel>
  )
}

/** One of the documents of the carrier, or one that is added to them here. */
function NoticeField({ form, carrier }: { form: PayeeForm; carrier: string | null }) {
  const notice = useField<string | null>(form, 'notice_document_id')
  const [sending, setSending] = useState(false)
  const queryClient = useQueryClient()
  const record = { type: 'partner_carrier', id: carrier ?? '' }
  const { data } = useQuery({ ...documentsQuery(record), enabled: carrier !== null })
  const { data: chosen } = useQuery({ ...noticeQuery(notice.value ?? ''), enabled: notice.value !== null })
  const add = async (file: File | null) => {
    if (!file) return
    setSending(true)
    try {
      const { id } = await upload({
        file,
        type: typeFor(file.name),
        record,
        key: crypto.randomUUID(),
        onProgress: () => {},
      })
      await queryClient.fetchQuery({ ...documentsQuery(record), staleTime: 0 })
      notice.set(id)
    } catch (error) {
      notifications.show({ title: `Could not add ${file.name}`, message: wordsFor(error), color: 'red.9' })
    }
    setSending(false)
  }
  return (
    <div>
      <Select
        label={labels.notice_document_id}
        clearable
        choices={(data?.documents ?? []).map(({ id, file_name }) => ({ value: id, label: file_name }))}
        value={notice.value}
        valueLabel={chosen?.file_name ?? null}
        onChange={notice.set}
        nothingFoundMessage="The carrier has no documents yet."
        error={notice.error}
      />
      {carrier && (
        <FileButton onChange={(file) => void add(file)}>
          {(props) => (
            <Button
              mt="xs"
              size="xs"
              variant="default"
              leftSection={<IconUpload size={15} aria-hidden />}
              loading={sending}
              {...props}
            >
              Add a file
            </Button>
          )}
        </FileButton>
      )}
    </div>
  )
}

export function TermsPanel({ form }: { form: PayeeForm }) {
  const notes = useField<string>(form, 'notes')
  return (
    <Panel title="Terms and notes">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" mb="sm">
        <TextField
          form={form}
          path="remittance_email"
          type="email"
          label={labels.remittance_email as string}
          maxLength={254}
        />
        <TextField
          form={form}
          path="quick_pay_days"
          inputMode="numeric"
          label={labels.quick_pay_days as string}
          description="Paid within so many days of its date, a bill is reduced."
          maxLength={3}
        />
        <TextField
          form={form}
          path="quick_pay_percent"
          inputMode="decimal"
          label={labels.quick_pay_percent as string}
          description="Such as 2.5."
          maxLength={12}
        />
      </SimpleGrid>
      <Textarea
        label={labels.notes}
        autosize
        minRows={1}
        maxLength={10_000}
        value={notes.value}
        onChange={(event) => notes.set(event.currentTarget.value)}
      />
    </Panel>
  )
}

type TextFieldProps = Omit<TextInputProps, 'form' | 'value' | 'onChange' | 'error'> & {
  form: PayeeForm
  path: string
  label: string
}

function TextField({ form, path, ...props }: TextFieldProps) {
  const { value, set, error } = useField<string>(form, path)
  return (
    <TextInput
      autoComplete="off"
      inputWrapperOrder={below}
      {...props}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      error={error}
    />
  )
}
