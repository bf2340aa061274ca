import { Button, Group, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { fieldErrors } from '../../app/api/problem.ts'
import { NotSaved } from '../../app/editing/not-saved.tsx'
import { showFirstError } from '../../app/editing/show-first-error.ts'
import { useUnsaved } from '../../app/editing/unsaved.tsx'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { keyFor, prefixFor } from './keys.ts'
import { type NewKind, useCreateKind } from './queries.ts'

const base = '/settings/objects'

export function NewPage() {
  return (
    <ForAdmins>
      <Page title="New kind" above={{ label: 'Object definitions', to: base }} lead="Add its fields on the next page.">
        <KindForm />
      </Page>
    </ForAdmins>
  )
}

function KindForm() {
  const create = useCreateKind()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const form = useForm({
    initialValues: {
      name: '',
      plural: '',
      objectKey: '',
      prefix: '',
      description: '',
      statuses: ['active', 'inactive'],
    },
    validate: {
      name: (name) => (name.trim() ? null : 'Enter a name.'),
      statuses: (statuses) => (statuses.length > 0 ? null : 'Enter at least one state.'),
    },
  })
  const { name, objectKey, prefix } = form.values
  const { question } = useUnsaved(() => form.isDirty())
  const submit = form.onSubmit(
    async ({ name, plural, description, statuses }) => {
      setProblem(null)
      const kind: NewKind = {
        name: name.trim(),
        objectKey: objectKey.trim() || keyFor(name),
        prefix: prefix.trim() || prefixFor(name),
        statuses,
        ...(plural.trim() && { plural: plural.trim() }),
        ...(description.trim() && { description: description.trim() }),
      }
      try {
        await create.mutateAsync(kind)
        notifications.show({ message: `The kind ${kind.name} was created.` })
        void navigate({ to: `${base}/${kind.objectKey}`, ignoreBlocker: true })
      } catch (error) {
        const { byField, rest } = fieldErrors(error, Object.keys(form.values))
        form.setErrors(byField)
        setProblem(rest)
        showFirstError(element.current)
      }
    },
    () => showFirstError(element.current),
  )
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <NotSaved problem={problem} title="The kind was not created" />
      <Panel title="Kind">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Name"
            description="Singular."
            placeholder="Inspection"
            required
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Plural"
            description="For lists and the navigation."
            placeholder="Inspections"
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('plural')}
          />
          <TextInput
            label="Name in the API"
            description="Cannot be changed later."
            placeholder={keyFor(name) || 'inspection'}
            autoComplete="off"
            {...form.getInputProps('objectKey')}
          />
          <TextInput
            label="Prefix of ids"
            description="A number follows it, as in INSP-1."
            placeholder={prefixFor(name) || 'INSP'}
            autoComplete="off"
            {...form.getInputProps('prefix')}
          />
          <TextInput label="Description" maxLength={1000} autoComplete="off" {...form.getInputProps('description')} />
          <TagsInput
            label="States"
            description="A new object gets the first one."
            required
            {...form.getInputProps('statuses')}
          />
        </SimpleGrid>
      </Panel>
      <Group>
        <Button type="submit" loading={form.submitting}>
          Create kind
        </Button>
        <Button variant="default" renderRoot={(props) => <Link to={base} {...props} />}>
          Cancel
        </Button>
      </Group>
      {question}
    </form>
  )
}
