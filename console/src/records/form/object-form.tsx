import { Alert, Button, Group, SimpleGrid } from '@mantine/core'
import { memo, type ReactNode, useEffect, useRef } from 'react'
import { IconAlertTriangle } from '../../app/icons/icons.ts'
import { Panel } from '../../app/parts/panel.tsx'
import type { Field } from '../kinds/kind.ts'
import { type Draft, draftOf } from './draft.ts'
import { FieldInput, type InputProps } from './field-input.tsx'
import styles from './object-form.module.css'
import { type Message, type Saving, useObjectForm } from './use-object-form.ts'

type ObjectFormProps = Saving & {
  submitLabel: string
  /** Called when there are unsaved changes, and when there are none any more. */
  onTouched?: (touched: boolean) => void
  cancel?: ReactNode
}

/** All fields of an object: small ones side by side, addresses and lists each in a panel of their own. */
export function ObjectForm({ submitLabel, onTouched, cancel, ...saving }: ObjectFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const form = useObjectForm(saving, element)
  const { kind } = saving
  const { isTouched } = form
  useEffect(() => onTouched?.(isTouched), [onTouched, isTouched])
  const { put, faults, money } = form
  const input = (field: Field) => (
    <OneInput
      key={field.key}
      field={field}
      value={form.drafts[field.key] ?? draftOf(field, null, 0)}
      put={put}
      faults={faults}
      money={money}
    />
  )
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    void form.submit()
  }
  return (
    <form ref={element} onSubmit={submit} noValidate>
      {form.message && <FormMessage message={form.message} loadNewVersion={() => void form.loadNewVersion()} />}
      <Panel title="Details">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          {kind.fields.filter((field) => !isLarge(field)).map(input)}
        </SimpleGrid>
      </Panel>
      {kind.fields.filter(isLarge).map((field) => (
        <Panel key={field.key} title={field.required ? `${field.name} *` : field.name} lead={field.description}>
          {input(field)}
        </Panel>
      ))}
      <Panel title="Record">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          {form.shared.map(input)}
        </SimpleGrid>
      </Panel>
      <Group className={styles.actions ?? ''}>
        <Button type="submit" loading={form.saving} disabled={form.base !== null && !isTouched}>
          {submitLabel}
        </Button>
        {form.base && isTouched && (
          <Button variant="default" onClick={form.discard}>
            Discard changes
          </Button>
        )}
        {cancel}
      </Group>
      {form.question}
    </form>
  )
}

type OneInputProps = Pick<InputProps, 'field' | 'value' | 'faults' | 'money'> & {
  put: (key: string, next: Draft) => void
}

/** Drawn again only when its own value changes, so that typing stays quick in a form of any size. */
const OneInput = memo(function OneInput({ field, put, ...props }: OneInputProps) {
  return <FieldInput field={field} path={field.key} onChange={(next) => put(field.key, next)} {...props} />
})

function FormMessage({
  message: { title, words, stale },
  loadNewVersion,
}: {
  message: Message
  loadNewVersion: () => void
}) {
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title={title}>
      {words}
      {stale && (
        <Button mt="sm" size="xs" variant="default" display="block" onClick={loadNewVersion}>
          Load the new version and keep my changes
        </Button>
      )}
    </Alert>
  )
}

function isLarge({ type, items }: Field): boolean {
  return type === 'address' || (type === 'list' && !(items && 'type' in items && items.type === 'text'))
}
