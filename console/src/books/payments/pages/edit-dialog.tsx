import { SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { EditingDialog } from '../../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../../app/editing/use-editing.ts'
import { Select } from '../../../app/inputs/select.tsx'
import { methodChoices, methodWords } from '../../documents/methods.ts'
import { type Payment, paymentQuery, useUpdatePayment } from '../queries.ts'

type Values = { method: string; reference_number: string; notes: string }

const labels: Record<keyof Values, string> = { method: 'Method', reference_number: 'Reference number', notes: 'Notes' }

/** What can be said about a payment at any time. What it came to and whom it paid stays. */
export function EditDialog({ payment, close }: { payment: Payment; close: () => void }) {
  const queryClient = useQueryClient()
  const update = useUpdatePayment(payment.id)
  const editing = useEditing<Values>({
    start: versionOf(payment),
    load: async () => versionOf(await queryClient.fetchQuery({ ...paymentQuery(payment.id), staleTime: 0 })),
    save: async (changes, revision) => {
      await update.mutateAsync({
        body: Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text.trim() || null])),
        revision,
      })
      notifications.show({ message: 'Changes saved.' })
      close()
    },
    fields: Object.keys(labels),
  })
  const { form } = editing
  return (
    <EditingDialog
      editing={editing}
      what="payment"
      labels={labels}
      show={(field, values) =>
        field === 'method' ? methodWords[values.method as keyof typeof methodWords] : values[field] || '–'
      }
      title={`Edit ${payment.number ?? 'the draft'}`}
      close={close}
      submitLabel="Save changes"
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <Select
            label={labels.method}
            choices={methodChoices}
            value={form.values.method}
            onChange={(next) => form.setFieldValue('method', next ?? form.values.method)}
            error={form.errors.method}
          />
          <TextInput
            label={labels.reference_number}
            maxLength={255}
            autoComplete="off"
            {...form.getInputProps('reference_number')}
          />
        </SimpleGrid>
        <Textarea
          label={labels.notes}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={10_000}
          {...form.getInputProps('notes')}
        />
      </Stack>
    </EditingDialog>
  )
}

function versionOf({ method, reference_number, notes, revision }: Payment): Version<Values> {
  return { revision, values: { method, reference_number: reference_number ?? '', notes: notes ?? '' } }
}
