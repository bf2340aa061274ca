import { Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Scope } from './application.ts'
import { noScopes, scopeGroups, scopeNames } from './words.ts'

type ScopesFieldProps = { value: readonly Scope[]; onChange: (scopes: Scope[]) => void; error: ReactNode }

const all = Object.keys(scopeNames) as Scope[]

export function ScopesField({ value, onChange, error }: ScopesFieldProps) {
  return (
    <Checkbox.Group value={[...value]} onChange={(next) => onChange(next as Scope[])} error={error} aria-label="Scopes">
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {value.length > 0 ? `${value.length} of ${all.length} selected` : noScopes}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => onChange([...all])}>
            Select all
          </Button>
          <Button variant="default" size="xs" onClick={() => onChange([])} disabled={value.length === 0}>
            Clear selection
          </Button>
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {scopeGroups.map(({ name, scopes }) => (
          <Fieldset key={name} legend={name}>
            <Stack gap="sm">
              {Object.entries(scopes).map(([scope, words]) => (
                <Checkbox key={scope} value={scope} label={words.name} description={words.means} />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}
