import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '../icons/icons.ts'
import styles from './copyable.module.css'

/** A text with a button that copies it. Ids of one organization begin alike, so a shortened one shows its end too. */
export function Copyable({ text, label, short = false }: { text: string; label: string; short?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code className={short ? styles.short : styles.text}>
        {short && text.length > 16 ? `${text.slice(0, 4)}…${text.slice(-8)}` : text}
      </Code>
      <Copy text={text} label={label} />
    </Group>
  )
}

export function Copy({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${label}`}
            className={styles.button}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
