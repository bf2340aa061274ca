import { ActionIcon, Box, Button, Group, Input, Paper, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { blankEntry, type Draft, type DraftFields } from './draft.ts'
import { FieldInput, type InputProps } from './field-input.tsx'
import { RecordInput } from './record-input.tsx'

/** A list: one input for each value, or one card for each record. */
export function EntriesInput({
  field,
  path,
  value,
  onChange,
  faults,
  money,
}: Omit<InputProps, 'value'> & { value: readonly Draft[] }) {
  const { name, items } = field
  if (!items) return null
  const put = (index: number, next: Draft) => onChange(value.with(index, next))
  return (
    <Box role="group" aria-label={name}>
      {value.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          None yet.
        </Text>
      )}
      {value.map((entry, index) => (
        <Entry
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries have no id of their own
          key={index}
          field={{
            key: field.key,
            name: `${name} ${index + 1}`,
            ...('type' in items ? items : { type: 'list', items }),
          }}
          path={`${path}.${index}`}
          value={entry}
          onChange={(next) => put(index, next)}
          faults={faults}
          money={money}
          remove={() => onChange(value.filter((_, other) => other !== index))}
        />
      ))}
      {faults[path] && (
        <Input.Error mb="xs" role="alert">
          {faults[path]}
        </Input.Error>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...value, blankEntry(items)])}
      >
        Add to {name.toLowerCase()}
      </Button>
    </Box>
  )
}

function Entry({ remove, ...input }: InputProps & { remove: () => void }) {
  const { field, value } = input
  const removing = <Remove label={`Remove ${field.name}`} remove={remove} />
  if (field.items && 'fields' in field.items) {
    return (
      <Paper withBorder p="sm" mb="sm" role="group" aria-label={field.name}>
        <Group justify="space-between" mb={4}>
          <Text size="sm" fw={600}>
            {field.name}
          </Text>
          {removing}
        </Group>
        <RecordInput {...input} fields={field.items.fields} value={value as DraftFields} />
      </Paper>
    )
  }
  return (
    <Group gap="xs" mb="xs" wrap="nowrap" align="flex-start">
      <Box flex={1} miw={0}>
        <FieldInput {...input} unlabelled />
      </Box>
      {removing}
    </Group>
  )
}

function Remove({ label, remove }: { label: string; remove: () => void }) {
  return (
    <ActionIcon variant="default" size={36} aria-label={label} onClick={remove}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  )
}
