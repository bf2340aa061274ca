import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type Bill, nameOf } from './bill.ts'

export type Refusal = { bill: Bill; problem: string }

/** The bills that something cannot be done with, by the reason. */
export function Refusals({ title, refused }: { title: string; refused: readonly Refusal[] }) {
  if (refused.length === 0) return null
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title={title} my="sm">
      {[...Map.groupBy(refused, ({ problem }) => problem)].map(([problem, some]) => (
        <Text key={problem} size="sm">
          {problem}{' '}
          <Text span size="sm" c="dimmed">
            {some.map(({ bill }) => nameOf(bill)).join(', ')}
          </Text>
        </Text>
      ))}
    </Alert>
  )
}
