import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IconHome } from '../icons/icons.ts'

type NoticeProps = { icon: typeof IconHome; title: string; children: ReactNode; action?: ReactNode }

/** A message in the place of content: the list is empty, access is not allowed, the page does not exist. */
export function Notice({ icon: Icon, title, children, action }: NoticeProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" py="lg" ta="center">
        <ThemeIcon size={52} radius="xl" variant="default" aria-hidden>
          <Icon size={26} stroke={1.6} />
        </ThemeIcon>
        <Title order={2} fz="lg">
          {title}
        </Title>
        <Text c="dimmed" maw="34rem">
          {children}
        </Text>
        {action}
      </Stack>
    </Paper>
  )
}
