import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page with a heading of its own. */
export function Panel({ title, lead, children }: { title?: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} mb="lg" aria-label={title}>
      {title && (
        <Title order={2} fz="lg" mb={lead ? 4 : 'md'}>
          {title}
        </Title>
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
