import { Badge } from '@mantine/core'
import styles from './state-badge.module.css'

export type Tone = 'quiet' | 'open' | 'moving' | 'attention' | 'done' | 'stopped'

/** A state. The word says which; the colour only helps to find it. */
export function StateBadge({ words, tone = 'quiet' }: { words: string; tone?: Tone }) {
  return (
    <Badge
      component="span"
      size="md"
      variant="default"
      tt="none"
      fw={550}
      classNames={{ root: styles.badge ?? '', label: styles.words ?? '' }}
      leftSection={<span className={styles.dot} data-tone={tone} />}
    >
      {words}
    </Badge>
  )
}
