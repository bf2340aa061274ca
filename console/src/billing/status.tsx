import { Badge, Group, Text } from '@mantine/core'
import { Day } from '../parts/when.tsx'
import { type Status, statusWords } from './states.ts'
import styles from './status.module.css'

/** The word says the state; the colour only helps to find it. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <Badge variant="default" tt="none" fw={550} miw="max-content" leftSection={<span className={styles.dot} data-status={status} />}>
      {statusWords[status]}
    </Badge>
  )
}

type Owed = { status_id: Status; due_date: string | null }

/** The same rule as the API's `overdue`: it is to be paid, and its due date has passed. */
export function isOverdue({ status_id, due_date }: Owed, now = Date.now()): boolean {
  return due_date !== null && status_id !== 'draft' && status_id !== 'paid' && Date.parse(due_date) < now
}

export function DueDate(owed: Owed) {
  if (!isOverdue(owed)) return <Day at={owed.due_date} />
  return (
    <Group gap={6} component="span">
      <Day at={owed.due_date} />
      <Text span size="xs" fw={650} c="var(--mantine-color-error)">
        Overdue
      </Text>
    </Group>
  )
}
