import { Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { EditingForm } from '../../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../../app/editing/use-editing.ts'
import { Panel } from '../../../app/parts/panel.tsx'
import type { Content, Scope } from '../application.ts'
import { useScopeName } from '../queries.ts'
import { flowWords, pkceWords, secretFlows, typeWords } from '../words.ts'
import { FlowsField } from './flows-field.tsx'
import { isRedirectUri, redirectUriRule } from './redirect-uri.ts'
import { RedirectUrisField } from './redirect-uris-field.tsx'
import { ScopesField } from './scopes-field.tsx'
import { TypeField } from './type-field.tsx'

type ApplicationFormProps = {
  start: Version<Content>
  /** The type of an existing application cannot be changed. */
  typeIsFixed?: boolean
  submitLabel: string
  load: () => Promise<Version<Content>>
  save: (changes: Partial<Content>, revision: number, all: Content) => Promise<Version<Content> | undefined>
  cancel?: ReactNode
}

const labels: Record<keyof Content, string> = {
  name: 'Name',
  type: 'Type',
  grant_types: 'Flows',
  require_pkce: 'Require PKCE',
  redirect_uris: 'Redirect URIs',
  scopes: 'Scopes',
  access: 'Read only',
}

export function ApplicationForm({ start, typeIsFixed = false, submitLabel, load, save, cancel }: ApplicationFormProps) {
  const editing = useEditing<Content>({
    start,
    load,
    save: (changes, revision, all) => save(tidy(changes), revision, { ...all, ...tidy(all) }),
    fields: Object.keys(labels),
    validate: ({ name, redirect_uris }) => ({
      ...(name.trim() === '' && { name: 'Enter a name.' }),
      ...(!redirect_uris.filter(Boolean).every(isRedirectUri) && { redirect_uris: redirectUriRule }),
    }),
  })
  const nameOf = useScopeName()
  const { form } = editing
  const { type, grant_types } = form.values
  return (
    <EditingForm
      editing={editing}
      what="application"
      labels={labels}
      show={(field, values) => show(field, values, nameOf)}
      submitLabel={submitLabel}
      cancel={cancel}
    >
      <Panel title="Application">
        <TextInput
          label="Name"
          description="Shown to people who are asked to allow access."
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
            form.setValues({
              type: next,
              require_pkce: next === 'public',
              ...(next === 'public' && { grant_types: grant_types.filter((flow) => !secretFlows.includes(flow)) }),
            })
          }
        />
      </Panel>
      <Panel title="Flows" lead="How the application gets access tokens.">
        <FlowsField
          type={type}
          value={grant_types}
          onChange={(next) => form.setFieldValue('grant_types', next)}
          error={form.errors.grant_types}
        />
        <Switch
          label={labels.require_pkce}
          description={type === 'public' ? pkceWords.always : pkceWords.means}
          disabled={type === 'public'}
          mt="lg"
          {...form.getInputProps('require_pkce', { type: 'checkbox' })}
        />
      </Panel>
      <Panel title="Redirect URIs" lead="Where people are sent after they sign in. The address must match exactly.">
        <RedirectUrisField
          value={form.values.redirect_uris}
          onChange={(next) => form.setFieldValue('redirect_uris', next)}
          error={form.errors.redirect_uris}
        />
      </Panel>
      <Panel
        title="Scopes"
        lead="What the application is allowed to do. It can request a token with fewer scopes, but not with more."
      >
        <ScopesField
          value={form.values.scopes}
          onChange={(next) => form.setFieldValue('scopes', next)}
          error={form.errors.scopes}
        />
        <Switch
          label={labels.access}
          description="Its tokens can read, search and export, and change nothing, whoever signs in through it."
          mt="lg"
          checked={form.values.access === 'read'}
          onChange={({ currentTarget }) => form.setFieldValue('access', currentTarget.checked ? 'read' : 'read_write')}
        />
      </Panel>
    </EditingForm>
  )
}

function tidy({ name, redirect_uris, ...rest }: Partial<Content>): Partial<Content> {
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(redirect_uris && { redirect_uris: redirect_uris.filter(Boolean) }),
  }
}

function show(field: keyof Content, values: Content, nameOf: (scope: Scope) => string): ReactNode {
  if (field === 'name') return values.name
  if (field === 'type') return typeWords[values.type].name
  if (field === 'access') return values.access === 'read' ? 'Yes' : 'No'
  if (field === 'require_pkce') return values.require_pkce ? 'Yes' : 'No'
  const several = {
    grant_types: () => values.grant_types.map((flow) => flowWords[flow].name),
    redirect_uris: () => values.redirect_uris.filter(Boolean),
    scopes: () => values.scopes.map(nameOf),
  }[field]()
  return several.join(', ') || '–'
}
