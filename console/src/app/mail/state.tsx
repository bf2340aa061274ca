import { Text } from '@mantine/core'
import { StateBadge, type Tone } from '../parts/state-badge.tsx'
import type { Mail } from './queries.ts'

const states: Record<Mail['status'], { words: string; tone: Tone }> = {
  queued: { words: 'Waiting', tone: 'moving' },
  sent: { words: 'Sent', tone: 'done' },
  kept: { words: 'Kept, not sent', tone: 'open' },
  failed: { words: 'Failed', tone: 'attention' },
  bounced: { words: 'Came back', tone: 'attention' },
}

export function MailState({ mail: { status, last_error } }: { mail: Mail }) {
  return (
    <>
      <StateBadge {...states[status]} />
      {last_error && (
        <Text size="sm" c="dimmed" maw={360} mt={4}>
          {last_error}
        </Text>
      )}
    </>
  )
}
