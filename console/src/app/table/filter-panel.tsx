import { Button, Collapse, Group, Paper, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useId, useState } from 'react'
import { IconChevronDown, IconChevronRight, IconX } from '../icons/icons.ts'

type FilterPanelProps = {
  /** How many filters are set. */
  count: number
  clear: () => void
  children: ReactNode
}

/** The filters of a list. On a phone they would fill the screen, so there they open when their heading is touched. */
export function FilterPanel({ count, clear, children }: FilterPanelProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [opened, setOpened] = useState(false)
  const id = useId()
  const isOpen = !isNarrow || opened
  const Icon = opened ? IconChevronDown : IconChevronRight
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }} mb="md" component="section" aria-label="Filters">
      {isNarrow && (
        <UnstyledButton
          w="100%"
          fz="sm"
          fw={600}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setOpened(!opened)}
        >
          <Group gap={6}>
            <Icon size={16} aria-hidden /> Filters{count > 0 && `: ${count}`}
          </Group>
        </UnstyledButton>
      )}
      <Collapse expanded={isOpen} id={id} pt={isNarrow ? 'sm' : 0}>
        {children}
      </Collapse>
      {count > 0 && (
        <Group mt="sm">
          <Button size="xs" variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={clear}>
            Clear filters
          </Button>
        </Group>
      )}
    </Paper>
  )
}
