import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { EditingDialog } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { CurrencySelect } from '../../app/inputs/currency-select.tsx'
import { Select } from '../../app/inputs/select.tsx'
import { bankLabels } from '../payees/words.tsx'
import { accountQuery, type PayingAccount, useSetAccount } from './queries.ts'

const bankFields = ['bank_name', 'routing_number', 'account_number', 'iban', 'bic'] as const
type BankField = (typeof bankFields)[number]
type Values = {
  currency_id: string | null
  name: string
  bank_details: Record<BankField, string>
  company_id: string
  ach_file: PayingAccount['ach_file']
}

const labels: Record<keyof Values, string> = {
  currency_id: 'Currency',
  name: 'Name of the account',
  bank_details: 'Bank details',
  company_id: 'Company id for ACH',
  ach_file: 'ACH in US dollars goes in',
}

const achFiles = [
  { value: 'nacha', label: 'A NACHA file' },
  { value: 'pain001', label: 'The pain.001 file' },
]

/** The account of a currency. Its details are replaced as a whole, and stay where nothing is typed. */
export function AccountDialog({ account, close }: { account: PayingAccount | null; close: () => void }) {
  const queryClient = useQueryClient()
  const save = useSetAccount()
  const editing = useEditing<Values>({
    start: versionOf(account),
    load: async () =>
      versionOf(await queryClient.fetchQuery({ ...accountQuery(account?.currency_id ?? ''), staleTime: 0 })),
    save: async (changes, revision, all) => {
      await save.mutateAsync({
        currency: all.currency_id as string,
        body: contentOf(account ? changes : all),
        revision: account ? revision : null,
      })
      close()
      return undefined
    },
    fields: [...bankFields.map((field) => `bank_details.${field}`), ...Object.keys(labels)],
    validate: ({ currency_id, name }) => ({
      ...(!currency_id && { currency_id: 'Choose the currency.' }),
      ...(!name.trim() && { name: 'Enter the name.' }),
    }),
  })
  const { form } = editing
  return (
    <EditingDialog
      editing={editing}
      what="paying account"
      labels={labels}
      show={(field, values) =>
        field === 'bank_details' ? (isTyped(values.bank_details) ? 'New details' : '–') : String(values[field] || '–')
      }
      title={account ? `Edit the account for ${account.currency_id.toUpperCase()}` : 'New paying account'}
      close={close}
      submitLabel={account ? 'Save changes' : 'Create account'}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <CurrencySelect
            required
            clearable={false}
            readOnly={account !== null}
            value={form.values.currency_id}
            onChange={(next) => form.setFieldValue('currency_id', next)}
            error={form.errors.currency_id}
          />
          <TextInput label={labels.name} required maxLength={255} autoComplete="off" {...form.getInputProps('name')} />
        </SimpleGrid>
        <div>
          <Text size="sm" c="dimmed" mb="xs">
            {account && 'Leave the bank details empty to keep them as they are; what you enter replaces all of them. '}
            The IBAN, or the account number with the routing number or the BIC.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {bankFields.map((field) => (
              <TextInput
                key={field}
                label={bankLabels[field]}
                maxLength={field === 'bank_name' ? 140 : 60}
                autoComplete="off"
                spellCheck={false}
                {...(account?.bank_details[field] && { placeholder: account.bank_details[field] })}
                {...form.getInputProps(`bank_details.${field}`)}
              />
            ))}
          </SimpleGrid>
          {form.errors.bank_details && (
            <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
              {form.errors.bank_details}
            </Text>
          )}
        </div>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label={labels.company_id}
            description="Which your bank gave you."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={10}
            autoComplete="off"
            {...form.getInputProps('company_id')}
          />
          <Select
            label={labels.ach_file}
            choices={achFiles}
            value={form.values.ach_file}
            onChange={(next) => next && form.setFieldValue('ach_file', next as Values['ach_file'])}
          />
        </SimpleGrid>
      </Stack>
    </EditingDialog>
  )
}

function versionOf(account: PayingAccount | null): Version<Values> {
  const bank_details = Object.fromEntries(bankFields.map((field) => [field, ''])) as Values['bank_details']
  const { currency_id = null, name = '', company_id, ach_file = 'nacha', revision = 0 } = account ?? {}
  return { revision, values: { currency_id, name, bank_details, company_id: company_id ?? '', ach_file } }
}

function isTyped(details: Values['bank_details']): boolean {
  return bankFields.some((field) => details[field].trim())
}

function contentOf({ currency_id: _, name, bank_details, company_id, ach_file }: Partial<Values>): object {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(bank_details &&
      isTyped(bank_details) && {
        bank_details: Object.fromEntries(
          bankFields.flatMap((field) => (bank_details[field].trim() ? [[field, bank_details[field].trim()]] : [])),
        ),
      }),
    ...(company_id !== undefined && { company_id: company_id.trim() || null }),
    ...(ach_file && { ach_file }),
  }
}
