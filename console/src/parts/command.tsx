import { Text } from '@mantine/core'
import styles from './command.module.css'
import { Copy } from './copyable.tsx'

/** A command to copy into a terminal. */
export function Command({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.frame}>
      <div className={styles.head}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Copy text={text} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard */}
      <section className={styles.text} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
    </div>
  )
}
