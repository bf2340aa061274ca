import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failed } from '../parts/failed.tsx'
import { timeOf } from '../values/dates.ts'
import styles from './history.module.css'

export type HistoryEntry = {
  id: string
  what: string
  who: ReactNode
  at: string
  reason?: string | undefined
  changes: ReactNode
}

type HistoryEntriesProps = {
  /** Newest first; undefined until they are loaded. */
  entries: readonly HistoryEntry[] | undefined
  error: unknown
  retry: () => void
  /** Where there are older ones: loads more. */
  older?: { load: () => void; isLoading: boolean } | undefined
}

/** What happened to a record, by whom and when: the same for every kind of record. */
export function HistoryEntries({ entries, error, retry, older }: HistoryEntriesProps) {
  return (
    <>
      {error ? <Failed error={error} what="the history" retry={retry} /> : null}
      {!entries && !error && <Skeleton height={80} />}
      {entries?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing has been changed yet.
        </Text>
      )}
      {entries && entries.length > 0 && (
        <Stack component="ol" gap="xs" className={styles.list ?? ''}>
          {entries.map(({ id, what, who, at, reason, changes }) => (
            <li key={id} className={styles.entry}>
              <Group gap={6}>
                <Text size="sm" fw={600}>
                  {what}
                </Text>
                <Text size="sm" c="dimmed">
                  by {who} · <time dateTime={at}>{timeOf(at)}</time>
                </Text>
              </Group>
              {reason && <Text size="sm">“{reason}”</Text>}
              {changes}
            </li>
          ))}
        </Stack>
      )}
      {older && (
        <Button mt="sm" size="xs" variant="default" loading={older.isLoading} onClick={older.load}>
          Show older
        </Button>
      )}
    </>
  )
}

export type Change = { key: string; label: string; text: ReactNode }

/** Shows what an event changed, field by field. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <dl className={styles.changes}>
      {changes.map(({ key, label, text }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

export function FromTo({ from, to }: { from: ReactNode; to: ReactNode }) {
  return (
    <>
      <del>{from}</del> → {to}
    </>
  )
}
