import { Alert, Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { fieldErrors } from '../api/problem.ts'
import { Panel } from '../parts/panel.tsx'
import { showFirstError } from '../parts/show-first-error.ts'
import type { Content } from './application.ts'
import { FlowsField } from './flows-field.tsx'
import { isRedirectUri, redirectUriRule } from './redirect-uri.ts'
import { RedirectUrisField } from './redirect-uris-field.tsx'
import { ScopesField } from './scopes-field.tsx'
import { TypeField } from './type-field.tsx'
import { secretFlows } from './words.ts'

type ApplicationFormProps = {
  initial: Content
  /** An application stays what it was made as. */
  typeIsFixed?: boolean
  submitLabel: string
  save: (content: Content) => Promise<unknown>
  others?: ReactNode
}

export function ApplicationForm({ initial, typeIsFixed = false, submitLabel, save, others }: ApplicationFormProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<Content>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name.' : null),
      redirect_uris: (uris) => (uris.filter(Boolean).every(isRedirectUri) ? null : redirectUriRule),
    },
  })
  const submit = form.onSubmit(
    async (values) => {
      setProblem(null)
      try {
        await save({ ...values, name: values.name.trim(), redirect_uris: values.redirect_uris.filter(Boolean) })
      } catch (error) {
        const { byField, rest } = fieldErrors(error, ['name', 'type', 'redirect_uris', 'scopes', 'grant_types'])
        form.setErrors(byField)
        setProblem(rest)
        showFirstError(element.current)
      }
    },
    () => showFirstError(element.current),
  )
  const { type, grant_types } = form.values
  return (
    <form ref={element} onSubmit={submit} noValidate>
      {problem && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title="Not saved">
          {problem}
        </Alert>
      )}
      <Panel title="Application">
        <TextInput
          label="Name"
          description="What people see when they are asked to allow it."
          maxLength={200}
          required
          autoComplete="off"
          mb="lg"
          {...form.getInputProps('name')}
        />
        <TypeField
          value={type}
          fixed={typeIsFixed}
          onChange={(next) =>
            form.setValues({ type: next, ...(next === 'public' && { grant_types: grant_types.filter((flow) => !secretFlows.includes(flow)) }) })
          }
        />
      </Panel>
      <Panel title="Flows" lead="How it gets its access tokens.">
        <FlowsField type={type} value={grant_types} onChange={(next) => form.setFieldValue('grant_types', next)} error={form.errors.grant_types} />
      </Panel>
      <Panel title="Redirect URIs" lead="Where people may return to after they signed in, matched byte for byte.">
        <RedirectUrisField value={form.values.redirect_uris} onChange={(next) => form.setFieldValue('redirect_uris', next)} error={form.errors.redirect_uris} />
      </Panel>
      <Panel title="Scopes" lead="What it may do at most. A token can be asked for with less, never with more.">
        <ScopesField value={form.values.scopes} onChange={(next) => form.setFieldValue('scopes', next)} error={form.errors.scopes} />
      </Panel>
      <Group>
        <Button type="submit" loading={form.submitting}>
          {submitLabel}
        </Button>
        {others}
      </Group>
    </form>
  )
}
