import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '../../../app/icons/icons.ts'
import { countOf, type Trip } from '../trips/trip.ts'
import styles from './board.module.css'

type FindingsProps = { findings: Trip['planning_findings'] }

/** On a card: how much of the plan cannot work; what it is stands in the tooltip, and in the drawer. */
export function Findings({ findings }: FindingsProps) {
  if (findings.length === 0) return null
  const [first] = findings
  return (
    <span className={styles.late} title={findings.map(({ message }) => message).join('\n')}>
      <IconAlertTriangle size={14} aria-hidden />{' '}
      {findings.length === 1
        ? words[first?.code as Code]
        : countOf(findings.length, 'thing cannot work', 'things cannot work')}
    </span>
  )
}

type Code = Trip['planning_findings'][number]['code']

const words: Record<Code, string> = {
  times_out_of_order: 'Times out of order',
  not_enough_time: 'Not enough time',
  hours_of_service: 'Driver needs a rest',
  late_stop: 'Cannot be on time',
  equipment_mismatch: 'Wrong equipment',
  equipment_conflict: 'Different equipment needed',
  over_capacity: 'Too heavy',
}

/** In the drawer: each in words. */
export function FindingList({ findings }: FindingsProps) {
  return findings.map(({ code, message, stop_id }) => (
    <Text key={`${code} ${stop_id}`} size="xs" fw={600} c="var(--mantine-color-error)" role="note">
      <IconAlertTriangle size={13} aria-hidden style={{ verticalAlign: '-2px' }} /> {message}
    </Text>
  ))
}

/** Says right after planning what cannot work. */
export function warnOf(name: string, findings: Trip['planning_findings']): void {
  if (findings.length === 0) return
  notifications.show({
    title: `${name} cannot work as planned`,
    message: findings.map(({ message }) => message).join(' '),
    color: 'orange.9',
    autoClose: 15_000,
  })
}
