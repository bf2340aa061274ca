import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Select } from '../../app/inputs/select.tsx'
import type { FieldOf } from './fields.ts'
import { useMissing } from './missing.tsx'
import type { Texts, Values } from './values.ts'

export type EmanifestForm = UseFormReturnType<Values>

type PartInputsProps = {
  form: EmanifestForm
  /** Where the texts are in the form, and what the API calls the place. */
  path: string
  place: string
  fields: readonly FieldOf[]
  texts: Texts
  /** What tells these inputs from others with the same labels. */
  of: string
}

/** The inputs of a part. */
export function PartInputs({ form, path, place, fields, texts, of }: PartInputsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="sm">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          form={form}
          path={`${path}.${field.name}`}
          place={place === '' ? field.name : `${place}.${field.name}`}
          field={field}
          value={texts[field.name] ?? ''}
          of={of}
        />
      ))}
    </SimpleGrid>
  )
}

type FieldInputProps = {
  form: EmanifestForm
  path: string
  place: string
  field: FieldOf
  value: string
  of: string
  type?: string
}

/** An input, with what is wrong at its place: what the server refused, or what customs misses until something is entered. */
export function FieldInput({ form, path, place, field, value, of, type }: FieldInputProps) {
  const missing = useMissing(place)
  const error = form.errors[place] ?? form.errors[path] ?? (form.isDirty(path) ? null : missing)
  const named = {
    label: field.label,
    'aria-label': of === '' ? field.label : `${field.label}, ${of}`,
    error,
    description: field.description,
  }
  const set = (next: string) => form.setFieldValue(path, next as never)
  if (field.choices)
    return (
      <Select
        {...named}
        clearable
        choices={[...field.choices]}
        value={value || null}
        onChange={(next) => set(next ?? '')}
      />
    )
  return (
    <TextInput
      autoComplete="off"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...named}
      type={type ?? (field.type === 'date' ? 'date' : 'text')}
      {...(field.type === 'number' && { inputMode: 'decimal' as const })}
      {...(field.maxLength && { maxLength: field.maxLength })}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** A heading of an entry of a list, with the way to take it out. */
export function EntryHead({ title, remove }: { title: string; remove: () => void }) {
  return (
    <Group justify="space-between" mb="xs">
      <Text fw={600} size="sm">
        {title}
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={remove}
        aria-label={`Remove ${title.toLowerCase()}`}
      >
        Remove
      </Button>
    </Group>
  )
}

export function AddButton({ add, children }: { add: () => void; children: ReactNode }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add} mb="sm">
      {children}
    </Button>
  )
}
