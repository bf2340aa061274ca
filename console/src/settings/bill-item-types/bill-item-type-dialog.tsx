import { Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { EditingDialog } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import {
  type BillItemType,
  billItemTypeQuery,
  type Content,
  useCreateBillItemType,
  useUpdateBillItemType,
} from './queries.ts'

type Values = Record<keyof Content, string>

export const labels: Values = {
  name: 'Name',
  class: 'Class',
  external_id: 'External id',
  qb_external_id: 'Id in the accounting package',
}
const fields = Object.keys(labels) as (keyof Content)[]

export function BillItemTypeDialog({ type, close }: { type: BillItemType | null; close: () => void }) {
  const queryClient = useQueryClient()
  const create = useCreateBillItemType()
  const update = useUpdateBillItemType(type?.id ?? '')
  const editing = useEditing<Values>({
    start: versionOf(type),
    load: async () => versionOf(await queryClient.fetchQuery({ ...billItemTypeQuery(type?.id ?? ''), staleTime: 0 })),
    save: async (changes, revision) => {
      if (type) await update.mutateAsync({ changes: contentOf(changes), revision })
      else await create.mutateAsync(contentOf(changes) as Content)
      close()
    },
    fields,
    validate: ({ name }) => (name.trim() ? {} : { name: 'Enter a name.' }),
  })
  return (
    <EditingDialog
      editing={editing}
      what="bill item type"
      labels={labels}
      show={(field, values) => values[field] || '–'}
      title={type ? `Edit ${type.name}` : 'New bill item type'}
      close={close}
      submitLabel={type ? 'Save changes' : 'Create type'}
    >
      <Stack gap="md">
        {fields.map((field) => (
          <TextInput
            key={field}
            label={labels[field]}
            required={field === 'name'}
            maxLength={255}
            autoComplete="off"
            {...(field === 'name' && { 'data-autofocus': true })}
            {...editing.form.getInputProps(field)}
          />
        ))}
      </Stack>
    </EditingDialog>
  )
}

function versionOf(type: BillItemType | null): Version<Values> {
  return {
    revision: type?.revision ?? 0,
    values: Object.fromEntries(fields.map((field) => [field, type?.[field] ?? ''])) as Values,
  }
}

/** An empty field is sent as null; the name is never empty. */
function contentOf(values: Partial<Values>): Partial<Content> {
  return Object.fromEntries(Object.entries(values).map(([field, text]) => [field, text.trim() || null]))
}
