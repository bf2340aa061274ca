import { Button, Group, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPlus, IconTrash } from '../icons/icons.ts'
import { RowAction } from '../table/row-action.tsx'

type Half<Pair> = { field: keyof Pair & string; label: string; placeholder: string; inputMode?: 'decimal' }

/** Any number of pairs of texts, one below the other. */
export function Pairs<Pair extends Record<string, string>>({
  legend,
  hint,
  one,
  halves,
  value,
  change,
  error,
}: {
  legend: string
  hint?: string
  /** What one pair is called: `component`. */
  one: string
  halves: readonly [Half<Pair>, Half<Pair>]
  value: readonly Pair[]
  change: (next: Pair[]) => void
  error: ReactNode
}) {
  const set = (at: number, part: object) =>
    change(value.map((pair, index) => (index === at ? { ...pair, ...part } : pair)))
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={500}>
        {legend}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      {value.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id of their own
        <Group key={index} gap="xs" wrap="nowrap" mt="xs">
          {halves.map(({ field, label, ...rest }) => (
            <TextInput
              key={field}
              aria-label={`${label} ${index + 1}`}
              value={pair[field] ?? ''}
              onChange={(event) => set(index, { [field]: event.currentTarget.value })}
              {...rest}
            />
          ))}
          <RowAction
            icon={IconTrash}
            label="Remove"
            of={`${one} ${index + 1}`}
            onClick={() => change(value.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
      <Button
        mt="xs"
        size="xs"
        variant="subtle"
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={() => change([...value, Object.fromEntries(halves.map(({ field }) => [field, ''])) as Pair])}
      >
        Add {one}
      </Button>
    </fieldset>
  )
}
