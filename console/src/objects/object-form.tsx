import { Alert, Button, Group, SimpleGrid } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Panel } from '../parts/panel.tsx'
import { draftOf } from './draft.ts'
import { FieldInput } from './field-input.tsx'
import { type Field, sharedFields } from './kind.ts'
import { UnsavedDialog } from './unsaved-dialog.tsx'
import { type Saving, type Trouble, useObjectForm } from './use-object-form.ts'

type ObjectFormProps = Saving & {
  submitLabel: string
  /** Told whether something was typed that is not saved. */
  onTouched?: (touched: boolean) => void
  others?: ReactNode
}

/** All fields of an object: small ones side by side, addresses and lists each in a part of the page to themselves. */
export function ObjectForm({ submitLabel, onTouched, others, ...saving }: ObjectFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const form = useObjectForm(saving, element)
  const { kind } = saving
  const { isTouched } = form
  useEffect(() => onTouched?.(isTouched), [onTouched, isTouched])
  const input = (field: Field) => (
    <FieldInput
      key={field.key}
      field={field}
      path={field.key}
      value={form.drafts[field.key] ?? draftOf(field, null, 0)}
      onChange={(next) => form.put(field.key, next)}
      faults={form.faults}
      money={form.money}
    />
  )
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    void form.submit()
  }
  return (
    <form ref={element} onSubmit={submit} noValidate>
      {form.trouble && <InTheWay trouble={form.trouble} loadTheirs={() => void form.loadTheirs()} />}
      <Panel title="Details">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>{kind.fields.filter((field) => !isLarge(field)).map(input)}</SimpleGrid>
      </Panel>
      {kind.fields.filter(isLarge).map((field) => (
        <Panel key={field.key} title={field.required ? `${field.name} *` : field.name} lead={field.description}>
          {input(field)}
        </Panel>
      ))}
      <Panel title="Record">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>{sharedFields(kind).map(input)}</SimpleGrid>
      </Panel>
      <Group>
        <Button type="submit" loading={form.saving} disabled={form.base !== null && !isTouched}>
          {submitLabel}
        </Button>
        {form.base && isTouched && (
          <Button variant="default" onClick={form.discard}>
            Discard changes
          </Button>
        )}
        {others}
      </Group>
      <UnsavedDialog unsaved={isTouched} goesOn={form.goesOn} />
    </form>
  )
}

function InTheWay({ trouble: { title, words, stale }, loadTheirs }: { trouble: Trouble; loadTheirs: () => void }) {
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title={title}>
      {words}
      {stale && (
        <Button mt="sm" size="xs" variant="default" display="block" onClick={loadTheirs}>
          Load their changes, keep mine
        </Button>
      )}
    </Alert>
  )
}

function isLarge({ type, items }: Field): boolean {
  return type === 'address' || (type === 'list' && !(items && 'type' in items && items.type === 'text'))
}
