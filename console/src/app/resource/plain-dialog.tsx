import { Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { EditingDialog } from '../editing/editing-form.tsx'
import { type EditSession, useEditing } from '../editing/use-editing.ts'
import type { NamedRow } from './plain-queries.ts'
import type { PlainRecords } from './plain-records.ts'

type Fields = Record<string, unknown>

/** A plain record in a dialog, or a new one. */
export function PlainDialog<Row extends NamedRow, Values extends Fields, Content extends object>({
  records,
  row,
  close,
}: {
  records: PlainRecords<Row, Values, Content>
  row: Row | null
  close: () => void
}) {
  const { queries, words, labels, valuesOf, contentOf, sendsWhole = false, validate, Inputs, show } = records
  const queryClient = useQueryClient()
  const create = queries.useCreate()
  const update = queries.useUpdate(row?.id ?? '')
  const versionOf = (row: Row | null) => ({ revision: row?.revision ?? 0, values: valuesOf(row) })
  const editing = useEditing<Values>({
    start: versionOf(row),
    load: async () => versionOf(await queryClient.fetchQuery({ ...queries.one(row?.id ?? ''), staleTime: 0 })),
    save: async (changes, revision, all) => {
      if (row) await update.mutateAsync({ changes: contentOf(sendsWhole ? all : changes), revision })
      else await create.mutateAsync(contentOf(all) as Content)
      close()
      return undefined
    },
    fields: Object.keys(labels),
    validate,
  })
  return (
    <EditingDialog
      editing={editing}
      what={words.one}
      labels={labels}
      show={show ?? ((field, values) => (values[field] as ReactNode) || '–')}
      title={row ? `Edit ${row.name}` : `New ${words.one}`}
      close={close}
      submitLabel={row ? 'Save changes' : `Create ${words.short ?? words.one}`}
    >
      <Stack gap="md">
        {Inputs ? (
          <Inputs editing={editing} />
        ) : (
          Object.entries<string>(labels).map(([field, label]) => (
            <TextField key={field} editing={editing} field={field} label={label} />
          ))
        )}
      </Stack>
    </EditingDialog>
  )
}

/** The name comes first, and no record is without one. */
export function TextField<Values extends Fields>({
  editing: { form },
  field,
  ...rest
}: { editing: EditSession<Values>; field: keyof Values & string } & ComponentProps<typeof TextInput>) {
  const isName = field === 'name'
  return (
    <TextInput
      required={isName}
      maxLength={255}
      autoComplete="off"
      {...(isName && { 'data-autofocus': true })}
      {...rest}
      {...form.getInputProps(field as never)}
    />
  )
}
