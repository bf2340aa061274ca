import { Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed } from '../../../app/parts/failed.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import type { Scope } from '../application.ts'
import { scopesQuery } from '../queries.ts'
import { noScopes } from '../words.ts'

type ScopesFieldProps = { value: readonly Scope[]; onChange: (scopes: Scope[]) => void; error: ReactNode }

export function ScopesField({ value, onChange, error }: ScopesFieldProps) {
  const { data: scopes, error: problem, refetch } = useQuery(scopesQuery)
  if (problem) return <Failed error={problem} what="the scopes" retry={() => void refetch()} />
  if (!scopes) return <TableSkeleton />
  return (
    <Checkbox.Group value={[...value]} onChange={(next) => onChange(next as Scope[])} error={error} aria-label="Scopes">
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {value.length > 0 ? `${value.length} of ${scopes.length} selected` : noScopes}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => onChange(scopes.map(({ id }) => id))}>
            Select all
          </Button>
          <Button variant="default" size="xs" onClick={() => onChange([])} disabled={value.length === 0}>
            Clear selection
          </Button>
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {[...Map.groupBy(scopes, ({ group }) => group)].map(([name, some]) => (
          <Fieldset key={name} legend={name}>
            <Stack gap="sm">
              {some.map((scope) => (
                <Checkbox key={scope.id} value={scope.id} label={scope.name} description={scope.description} />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}
