import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '../../../app/icons/icons.ts'
import type { Document } from '../document.ts'
import { type DocumentKind, nameIn } from '../kind.ts'

export type Refusal<D extends Document = Document> = { document: D; problem: string }

/** The documents that something cannot be done with, by the reason. */
export function Refusals({ kind, title, refused }: { kind: DocumentKind; title: string; refused: readonly Refusal[] }) {
  if (refused.length === 0) return null
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title={title} my="sm">
      {[...Map.groupBy(refused, ({ problem }) => problem)].map(([problem, some]) => (
        <Text key={problem} size="sm">
          {problem}{' '}
          <Text span size="sm" c="dimmed">
            {some.map(({ document }) => nameIn(kind, document)).join(', ')}
          </Text>
        </Text>
      ))}
    </Alert>
  )
}
