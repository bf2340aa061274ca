import { Box, Input, SimpleGrid, Text } from '@mantine/core'
import type { Field } from '../kinds/kind.ts'
import { zoneIn } from '../kinds/zone.ts'
import type { DraftFields } from './draft.ts'
import { FieldInput, type InputProps } from './field-input.tsx'
import { usePlaceZone } from './use-place-zone.ts'

type RecordInputProps = Pick<InputProps, 'path' | 'onChange' | 'faults' | 'money'> & {
  fields: readonly Field[]
  value: DraftFields
}

/** The parts of an address, or of an entry of a list. The server sets the ids of entries. */
export function RecordInput({ fields, path, value, onChange, faults, money }: RecordInputProps) {
  const hasZone = fields.some(({ format }) => format === 'time-zone')
  usePlaceZone(hasZone, value, onChange)
  const zone = hasZone ? zoneIn(fields, value) : undefined
  const input = (field: Field) => (
    <FieldInput
      key={field.key}
      field={field}
      path={`${path}.${field.key}`}
      value={value[field.key] ?? ''}
      onChange={(next) => onChange({ ...value, [field.key]: next })}
      faults={faults}
      money={money}
      zone={zone}
    />
  )
  return (
    <>
      {faults[path] && (
        <Input.Error mb="xs" role="alert">
          {faults[path]}
        </Input.Error>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} verticalSpacing="sm">
        {fields.filter(({ format, type }) => format !== 'id' && type !== 'address').map(input)}
      </SimpleGrid>
      {fields
        .filter(({ type }) => type === 'address')
        .map((field) => (
          <Box key={field.key} mt="sm" role="group" aria-label={field.name}>
            <Text size="sm" fw={500} mb={4}>
              {field.name}
            </Text>
            {input(field)}
          </Box>
        ))}
    </>
  )
}
