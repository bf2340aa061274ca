import { Alert, Button, Checkbox, Group, Modal, Stack, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Problem, wordsFor } from '../../app/api/problem.ts'
import { useUnsaved } from '../../app/editing/unsaved.tsx'
import { Select } from '../../app/inputs/select.tsx'
import type { Field, FieldType, Kind } from '../kinds/kind.ts'
import { useKinds } from '../kinds/queries.ts'
import { keyFor } from './keys.ts'
import { addedFieldsOf, useChangeFields } from './queries.ts'
import { typeNames, types } from './type-words.ts'

type Values = {
  name: string
  key: string
  type: FieldType
  items: FieldType
  options: string[]
  objectKey: string
  description: string
  required: boolean
  unique: boolean
}

const blank: Values = {
  name: '',
  key: '',
  type: 'text',
  items: 'text',
  options: [],
  objectKey: '',
  description: '',
  required: false,
  unique: false,
}
const entryTypes = types.filter((type) => type !== 'list' && type !== 'multi-select')
const neverUnique: readonly FieldType[] = ['list', 'multi-select', 'address', 'boolean']

export function FieldDialog({ kind, close }: { kind: Kind; close: () => void }) {
  const kinds = useKinds()
  const change = useChangeFields(kind)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<Values>({
    initialValues: blank,
    validate: {
      name: (name) => (name.trim() ? null : 'Enter a name.'),
      options: (options, values) =>
        isChoice(typeOfValues(values)) && options.length === 0 ? 'Enter at least one option.' : null,
      objectKey: (objectKey, values) =>
        typeOfValues(values) === 'reference' && !objectKey ? 'Choose the kind that it refers to.' : null,
    },
  })
  const { name, type } = form.values
  const valueType = typeOfValues(form.values)
  const { close: leave, question } = useUnsaved(() => form.isDirty())
  const cancel = () => leave(close)
  const submit = form.onSubmit(async (values) => {
    setProblem(null)
    try {
      await change.mutateAsync([...addedFieldsOf(kind), fieldOf(values)])
      notifications.show({ message: `The field ${values.name.trim()} was added.` })
      close()
    } catch (error) {
      const { byField, rest } = faultsOf(error, addedFieldsOf(kind).length)
      form.setErrors(byField)
      setProblem(rest)
    }
  })
  return (
    <Modal opened onClose={cancel} title={`Add a field to ${kind.plural.toLowerCase()}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {problem && (
            <Alert variant="default" role="alert" title="The field was not added">
              {problem}
            </Alert>
          )}
          <TextInput
            label="Name"
            required
            maxLength={200}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Name in the API"
            description="Cannot be changed later."
            placeholder={keyFor(name) || 'priority'}
            autoComplete="off"
            {...form.getInputProps('key')}
          />
          <Select label="Type" choices={named(types)} {...form.getInputProps('type')} value={type} />
          {type === 'list' && (
            <Select
              label="Type of the entries"
              choices={named(entryTypes)}
              {...form.getInputProps('items')}
              value={form.values.items}
            />
          )}
          {isChoice(valueType) && (
            <TagsInput
              label="Options"
              required
              placeholder="Type an option and press Enter"
              {...form.getInputProps('options')}
            />
          )}
          {valueType === 'reference' && (
            <Select
              label="Kind that it refers to"
              required
              choices={kinds.map(({ objectKey, name }) => ({ value: objectKey, label: name }))}
              {...form.getInputProps('objectKey')}
              value={form.values.objectKey || null}
            />
          )}
          <TextInput label="Description" maxLength={1000} autoComplete="off" {...form.getInputProps('description')} />
          <Checkbox label="Required" {...form.getInputProps('required', { type: 'checkbox' })} />
          {!neverUnique.includes(type) && (
            <Checkbox
              label="Unique: no two objects have the same value"
              {...form.getInputProps('unique', { type: 'checkbox' })}
            />
          )}
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            Add field
          </Button>
        </Group>
      </form>
      {question}
    </Modal>
  )
}

/** The type of the value, or of the entries of a list. */
function typeOfValues({ type, items }: Values): FieldType {
  return type === 'list' ? items : type
}

function isChoice(type: FieldType): boolean {
  return type === 'select' || type === 'multi-select'
}

function fieldOf({ name, key, type, items, options, objectKey, description, required, unique }: Values): Field {
  const details = (of: FieldType) => ({ ...(isChoice(of) && { options }), ...(of === 'reference' && { objectKey }) })
  return {
    key: key.trim() || keyFor(name),
    name: name.trim(),
    type,
    ...(type === 'list' ? { items: { type: items, ...details(items) } } : details(type)),
    ...(description.trim() && { description: description.trim() }),
    ...(required && { required }),
    ...(unique && !neverUnique.includes(type) && { unique }),
  }
}

/** The server names the field by its index among those that were sent; the new one is the last. */
function faultsOf(error: unknown, index: number): { byField: Record<string, string>; rest: string | null } {
  const byField: Record<string, string> = {}
  if (!(error instanceof Problem)) return { byField, rest: wordsFor(error) }
  for (const { field = '', message } of error.details) {
    const part = field
      .replaceAll('/', '.')
      .split(`fields.${index}.`)[1]
      ?.replace(/^items\.(?=options|objectKey)/, '')
      .split('.')[0]
    if (part && part in blank) byField[part] = message.replaceAll(`"${field}"`, 'This')
  }
  return { byField, rest: Object.keys(byField).length > 0 ? null : error.message }
}

function named(types: readonly FieldType[]) {
  return types.map((type) => ({ value: type, label: typeNames[type] }))
}
