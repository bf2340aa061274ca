import { Alert, Button, Group, SimpleGrid } from '@mantine/core'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { IconAlertTriangle } from '../../app/icons/icons.ts'
import { Panel } from '../../app/parts/panel.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import type { Field, Fields } from '../kinds/kind.ts'
import { type Draft, draftOf } from './draft.ts'
import { FieldInput, type InputProps } from './field-input.tsx'
import { useFreightZones, type ZoneOf } from './freight-times.ts'
import styles from './object-form.module.css'
import { type Message, type ObjectFormOptions, useObjectForm } from './use-object-form.ts'

type ObjectFormProps = ObjectFormOptions & {
  submitLabel: string
  /** Called when there are unsaved changes, and when there are none any more. */
  onTouched?: (touched: boolean) => void
  cancel?: ReactNode
}

/** All fields of an object: small ones side by side, addresses and lists each in a panel of their own. */
export function ObjectForm(props: ObjectFormProps) {
  const zonesIn = useFreightZones(props.kind)
  return zonesIn ? <Form {...props} zonesIn={zonesIn} /> : <TableSkeleton rows={8} />
}

type FormProps = ObjectFormProps & { zonesIn: (record: Fields) => ZoneOf }

/** Times are typed in the zones that the record had when the form was opened, also where its stops are changed meanwhile. */
function Form({ submitLabel, onTouched, cancel, zonesIn, ...saving }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const [zoneOf] = useState(() => zonesIn(saving.object ?? saving.start ?? {}))
  const form = useObjectForm(saving, zoneOf, element)
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
      zone={zoneOf(field.key)}
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

type OneInputProps = Pick<InputProps, 'field' | 'value' | 'faults' | 'money' | 'zone'> & {
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
