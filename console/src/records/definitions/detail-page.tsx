import { Anchor, Badge, Button, Code, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate } from '@tanstack/react-router'
import { wordsFor } from '../../app/api/problem.ts'
import { ConfirmByName } from '../../app/editing/confirm-by-name.tsx'
import { IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import type { Field, Kind } from '../kinds/kind.ts'
import { KindPage } from '../kinds/kind-page.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { addedFieldsOf, useChangeFields, useDeleteKind } from './queries.ts'
import { typeWords } from './type-words.ts'

const base = '/settings/objects'

export function DetailPage() {
  return (
    <ForAdmins>
      <KindPage>{(kind) => <Definition kind={kind} />}</KindPage>
    </ForAdmins>
  )
}

function Definition({ kind }: { kind: Kind }) {
  const { objectKey, plural, prefix, description, statuses, builtIn, fields, removedFields } = kind
  const [adding, add] = useDisclosure(false)
  const [deleting, remove] = useDisclosure(false)
  return (
    <Page
      title={plural}
      above={{ label: 'Object definitions', to: base }}
      lead={description}
      actions={
        <>
          {!builtIn && (
            <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove.open}>
              Delete kind
            </Button>
          )}
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={add.open}>
            Add field
          </Button>
        </>
      }
    >
      <Panel>
        <Text size="sm">
          Name in the API: <Code>{objectKey}</Code>. Ids: {prefix}-1, {prefix}-2 and so on. States:{' '}
          {statuses.join(', ')}.{' '}
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={`/objects/${objectKey}`} {...props} />}>
            Show the {plural.toLowerCase()}
          </Anchor>
        </Text>
      </Panel>
      <DataTable
        label="Fields"
        columns={[...columns, { label: 'Actions', end: true, show: (field) => <Hide kind={kind} field={field} /> }]}
        rows={fields}
        keyOf={({ key }) => key}
      />
      {removedFields.length > 0 && (
        <Panel title="Hidden fields" lead="Hidden fields keep their values. Show a field again to use it.">
          {removedFields.map((field) => (
            <Group key={field.key} justify="space-between" mb="xs">
              <Text size="sm">
                {field.name} <Code>{field.key}</Code>
              </Text>
              <ShowAgain kind={kind} field={field} />
            </Group>
          ))}
        </Panel>
      )}
      {adding && <FieldDialog kind={kind} close={add.close} />}
      {deleting && <DeleteKind kind={kind} close={remove.close} />}
    </Page>
  )
}

const columns: Column<Field>[] = [
  {
    label: 'Field',
    show: ({ name, description }) => (
      <>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </>
    ),
  },
  { label: 'Name in the API', show: ({ key }) => <Code>{key}</Code> },
  { label: 'Type', show: typeWords },
  {
    label: 'Rules',
    show: ({ required, unique }) => (
      <Group gap={4}>
        {required && <Rule>Required</Rule>}
        {unique && <Rule>Unique</Rule>}
        {!required && !unique && '–'}
      </Group>
    ),
  },
]

function Rule({ children }: { children: string }) {
  return (
    <Badge variant="default" tt="none" fw={500} miw="max-content">
      {children}
    </Badge>
  )
}

function Hide({ kind, field }: { kind: Kind; field: Field }) {
  const change = useChangeFields(kind)
  if (!kind.addedFields.includes(field.key))
    return (
      <Text span size="sm" c="dimmed">
        Built in
      </Text>
    )
  const hide = () =>
    change.mutate(
      addedFieldsOf(kind).filter(({ key }) => key !== field.key),
      { onError: refused },
    )
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={change.isPending}
      onClick={hide}
      aria-label={`Hide ${field.name}`}
    >
      Hide
    </Button>
  )
}

function ShowAgain({ kind, field }: { kind: Kind; field: Field }) {
  const change = useChangeFields(kind)
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={change.isPending}
      onClick={() => change.mutate([...addedFieldsOf(kind), field], { onError: refused })}
      aria-label={`Show ${field.name}`}
    >
      Show
    </Button>
  )
}

function refused(error: unknown): void {
  notifications.show({ title: 'The change was not made', message: wordsFor(error), color: 'red.9', autoClose: 15_000 })
}

function DeleteKind({ kind, close }: { kind: Kind; close: () => void }) {
  const navigate = useNavigate()
  const remove = useDeleteKind(kind, () => navigate({ to: base }))
  const confirm = { mutate: () => remove.mutate(undefined), isPending: remove.isPending, error: remove.error }
  return (
    <ConfirmByName
      opened
      close={close}
      title={`Delete the kind ${kind.name}`}
      name={kind.name}
      verb="Delete"
      confirm={confirm}
    >
      The kind and its fields are deleted. This is not possible while objects of this kind exist or fields of other
      kinds refer to it.
    </ConfirmByName>
  )
}
