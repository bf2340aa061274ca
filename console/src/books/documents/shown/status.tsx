import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { organizationQuery } from '../../../app/api/organization.ts'
import { StateBadge, type Tone } from '../../../app/parts/state-badge.tsx'
import { Day } from '../../../app/parts/when.tsx'
import { dayIn, todayIn } from '../../../app/values/dates.ts'
import { type Status, statusWords } from '../states.ts'

const tones: Record<Status, Tone> = { draft: 'quiet', saved: 'open', sent: 'moving', edited: 'attention', paid: 'done' }

/** A voided document keeps its state, which means nothing any more. */
export function StatusBadge({
  status,
  words = statusWords[status],
  isVoided = false,
}: {
  status: Status
  words?: string | undefined
  isVoided?: boolean
}) {
  if (isVoided) return <StateBadge words="Voided" tone="stopped" />
  return <StateBadge words={words} tone={tones[status]} />
}

type Owed = { status_id: Status; due_date: string | null; voided_at?: string | null }

/** The same rule as the API's `overdue`: it is to be paid, and was due before today, where the organization is. */
export function isOverdue({ status_id, due_date, voided_at }: Owed, timeZone: string, now = new Date()): boolean {
  return (
    !voided_at &&
    due_date !== null &&
    status_id !== 'draft' &&
    status_id !== 'paid' &&
    dayIn(due_date, timeZone) < todayIn(timeZone, now)
  )
}

export function DueDate(owed: Owed) {
  const { data: organization } = useQuery(organizationQuery)
  if (!organization || !isOverdue(owed, organization.time_zone)) return <Day at={owed.due_date} />
  return (
    <Group gap={6} component="span">
      <Day at={owed.due_date} />
      <Text span size="xs" fw={650} c="var(--mantine-color-error)">
        Overdue
      </Text>
    </Group>
  )
}
