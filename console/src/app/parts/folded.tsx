import { Collapse, Group, Paper, Text, Title, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { IconChevronDown, IconChevronRight } from '../icons/icons.ts'

type FoldedProps = {
  title: string
  /** What can be read without opening it. */
  summary?: ReactNode
  /** Opens it, whatever the person chose: something in it needs attention. */
  mustOpen?: boolean
  children: ReactNode
}

/** A part of a page that opens when its heading is clicked. What is typed in it stays while it is closed. */
export function Folded({ title, summary, mustOpen = false, children }: FoldedProps) {
  const [opened, setOpened] = useState(false)
  const id = useId()
  const isOpen = opened || mustOpen
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <Paper component="section" withBorder mb="md" aria-label={title}>
      <Title order={2} fz="md">
        <UnstyledButton
          w="100%"
          px={{ base: 'sm', sm: 'md' }}
          py="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpened(!isOpen)}
        >
          <Group gap={6} wrap="nowrap">
            <Icon size={16} aria-hidden style={{ flex: 'none' }} />
            <span>{title}</span>
            {summary && !isOpen && (
              <Text span size="sm" c="dimmed" fw={400} truncate>
                {summary}
              </Text>
            )}
          </Group>
        </UnstyledButton>
      </Title>
      <Collapse expanded={isOpen} id={id} px={{ base: 'sm', sm: 'md' }} pb="md">
        {children}
      </Collapse>
    </Paper>
  )
}
