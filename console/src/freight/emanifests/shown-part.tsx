import { SimpleGrid, Text } from '@mantine/core'
import { Fact } from '../../app/parts/fact.tsx'
import { Day } from '../../app/parts/when.tsx'
import type { FieldOf } from './fields.ts'
import { useMissing } from './missing.tsx'

type Part = object | null

/** The fields of a part, each with what is missing there. Fields that are empty and not needed are left out. */
export function ShownPart({ path, fields, part }: { path: string; fields: readonly FieldOf[]; part: Part }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="sm">
      {fields.map((field) => (
        <ShownField
          key={field.name}
          path={path === '' ? field.name : `${path}.${field.name}`}
          field={field}
          value={(part as Record<string, unknown> | null)?.[field.name]}
        />
      ))}
    </SimpleGrid>
  )
}

function ShownField({ path, field, value }: { path: string; field: FieldOf; value: unknown }) {
  const missing = useMissing(path)
  const text = textOf(field, value)
  if (!missing && text === '') return null
  return (
    <Fact label={field.label}>
      {field.type === 'date' && text ? <Day at={text} /> : text || '–'}
      {missing && (
        <Text size="xs" c="var(--mantine-color-error)">
          {missing}
        </Text>
      )}
    </Fact>
  )
}

function textOf({ choices }: FieldOf, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'number') return value.toLocaleString()
  return choices?.find((choice) => choice.value === value)?.label ?? String(value)
}
