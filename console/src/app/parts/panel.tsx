import { Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page with a heading of its own. */
export function Panel({
  title,
  lead,
  actions,
  children,
}: {
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Paper component="section" withBorder p={{ base: 'sm', sm: 'md' }} mb="md" aria-label={title}>
      {title && (
        <Group justify="space-between" gap="sm" mb={lead ? 2 : 'sm'}>
          <Title order={2} fz="md">
            {title}
          </Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      {lead && (
        <Text c="dimmed" size="sm" mb="md" maw="46rem">
          {lead}
        </Text>
      )}
      {children}
    </Paper>
  )
}
