import { Radio, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { EditingForm } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { Panel } from '../../app/parts/panel.tsx'
import { TypesField } from '../events/types-field.tsx'
import type { Content } from './queries.ts'

type WebhookFormProps = {
  start: Version<Content>
  submitLabel: string
  load: () => Promise<Version<Content>>
  save: (changes: Partial<Content>, revision: number, all: Content) => Promise<Version<Content> | undefined>
  cancel?: ReactNode
}

const labels: Record<keyof Content, string> = { url: 'Address', description: 'Description', event_types: 'Events' }

export function WebhookForm({ start, submitLabel, load, save, cancel }: WebhookFormProps) {
  const editing = useEditing<Content>({
    start,
    load,
    save: (changes, revision, all) => save(tidy(changes), revision, { ...all, ...tidy(all) }),
    fields: Object.keys(labels),
    validate: ({ url, event_types }) => ({
      ...(!isAddress(url) && { url: 'Enter an address that begins with https://.' }),
      ...(event_types.length === 0 && { event_types: 'Choose at least one type, or all events.' }),
    }),
  })
  const { form } = editing
  const isAll = form.values.event_types.includes('*')
  return (
    <EditingForm editing={editing} what="webhook" labels={labels} show={show} submitLabel={submitLabel} cancel={cancel}>
      <Panel title="Endpoint">
        <TextInput
          label={labels.url}
          description="Your program, which answers with a status from 200 to 299 within 10 seconds. It is sent POST requests with JSON."
          placeholder="https://hooks.example.com/lading"
          inputMode="url"
          autoComplete="off"
          maxLength={2000}
          required
          mb="md"
          {...form.getInputProps('url')}
        />
        <TextInput
          label={labels.description}
          placeholder="Warehouse sync"
          autoComplete="off"
          maxLength={500}
          {...form.getInputProps('description')}
        />
      </Panel>
      <Panel title="Events" lead="What it is sent. Each program should get only what it needs.">
        <Radio.Group
          aria-label="Events"
          value={isAll ? 'all' : 'some'}
          onChange={(next) =>
            form.setFieldValue(
              'event_types',
              next === 'all' ? ['*'] : start.values.event_types.filter((type) => type !== '*'),
            )
          }
        >
          <Stack gap="xs">
            <Radio value="all" label="All events" description="Also types that do not exist yet." />
            <Radio value="some" label="Only some types" />
          </Stack>
        </Radio.Group>
        {!isAll && (
          <div style={{ marginTop: '0.75rem' }}>
            <TypesField
              label="Types of events"
              description="Such as bill.paid, or bill.* for everything about bills."
              value={form.values.event_types}
              onChange={(types) => form.setFieldValue('event_types', types)}
              error={form.errors.event_types}
            />
          </div>
        )}
      </Panel>
    </EditingForm>
  )
}

function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim())
}

function tidy({ url, description, ...rest }: Partial<Content>): Partial<Content> {
  return {
    ...rest,
    ...(url !== undefined && { url: url.trim() }),
    ...(description !== undefined && { description: description.trim() }),
  }
}

function show(field: keyof Content, values: Content): ReactNode {
  if (field === 'event_types')
    return values.event_types.includes('*') ? 'All events' : values.event_types.join(', ') || '–'
  return values[field] || '–'
}
