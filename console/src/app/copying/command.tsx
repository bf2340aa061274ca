import { Text } from '@mantine/core'
import styles from './command.module.css'
import { Copy } from './copyable.tsx'

/** A text to copy, such as a command for a terminal, or JSON. `copied` is what is copied, where it is shown otherwise. */
export function Command({ label, text, copied = text }: { label: string; text: string; copied?: string }) {
  return (
    <div className={styles.frame}>
      <div className={styles.head}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Copy text={copied} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard */}
      <section className={styles.text} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
    </div>
  )
}
