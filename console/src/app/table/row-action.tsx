import { ActionIcon } from '@mantine/core'
import type { IconPencil } from '../icons/icons.ts'
import styles from './row-action.module.css'

type RowActionProps = {
  icon: typeof IconPencil
  label: string
  of: string
  disabled?: boolean
  /** For a moment it cannot be clicked, and keeps the focus. */
  waiting?: boolean
  onClick: () => void
}

/** A small button in a row; its name says which row. */
export function RowAction({ icon: Icon, label, of, disabled = false, waiting = false, onClick }: RowActionProps) {
  return (
    <ActionIcon
      className={styles.action ?? ''}
      variant="subtle"
      size="sm"
      aria-label={`${label}: ${of}`}
      title={label}
      disabled={disabled}
      aria-disabled={waiting || undefined}
      onClick={() => !waiting && onClick()}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
