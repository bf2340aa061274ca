import { Button, Group, PasswordInput, SimpleGrid, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Connection, type Connector, type Edit, useSaveConnection } from './queries.ts'
import { settingLabel } from './words.ts'

/** Secrets can be entered and not read: an empty field leaves the one that is there. */
export function SettingsPanel({ connection, connector }: { connection: Connection; connector: Connector }) {
  const { isAdmin } = useMe()
  const [name, setName] = useState(connection.name)
  const [settings, setSettings] = useState<Record<string, string>>(connection.settings)
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const save = useSaveConnection(connection)
  const changedSettings = Object.entries(settings).filter(([key, value]) => value !== (connection.settings[key] ?? ''))
  const body: Edit = {
    ...(name.trim() !== connection.name && name.trim() !== '' && { name: name.trim() }),
    ...(changedSettings.length > 0 && {
      settings: Object.fromEntries(changedSettings.map(([key, value]) => [key, value.trim() || null])),
    }),
    ...(Object.values(secrets).some(Boolean) && {
      secrets: Object.fromEntries(Object.entries(secrets).filter(([, value]) => value)),
    }),
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    save.mutate(body, { onSuccess: () => notifications.show({ message: 'The settings were saved.' }) })
  }
  return (
    <Panel title="Settings">
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Name"
            value={name}
            readOnly={!isAdmin}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {connector.settings.map(({ name: key, description, example }) => (
            <TextInput
              key={key}
              label={settingLabel(key)}
              description={description}
              placeholder={example}
              readOnly={!isAdmin}
              value={settings[key] ?? ''}
              onChange={(event) => setSettings({ ...settings, [key]: event.currentTarget.value })}
            />
          ))}
          {connector.secrets.map((key) => (
            <PasswordInput
              key={key}
              label={settingLabel(key)}
              description={
                connection.secrets_set.includes(key) ? 'It is set. What you enter replaces it.' : 'It is not set.'
              }
              autoComplete="off"
              readOnly={!isAdmin}
              value={secrets[key] ?? ''}
              onChange={(event) => setSecrets({ ...secrets, [key]: event.currentTarget.value })}
            />
          ))}
        </SimpleGrid>
        {save.error ? <Failed error={save.error} /> : null}
        {isAdmin && (
          <Group justify="flex-end" mt="md">
            <Button type="submit" loading={save.isPending} disabled={Object.keys(body).length === 0}>
              Save settings
            </Button>
          </Group>
        )}
      </form>
    </Panel>
  )
}
