import { ActionIcon, Box, Button, Code, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { showFirstError } from '../../app/editing/show-first-error.ts'
import { IconFilter, IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Select } from '../../app/inputs/select.tsx'
import {
  type Choice,
  choicesFor,
  type Filter,
  filterOf,
  type Row,
  type Rows,
  rowsOf,
  takesNoValue,
  wordsFor,
} from '../kinds/filter.ts'
import { comparablePlaces, type Kind, type Place } from '../kinds/kind.ts'
import { FilterValue } from './filter-value.tsx'

type FilterProps = { kind: Kind; filter: Filter | undefined; onFilter: (filter: Filter | undefined) => void }

export function FilterButton({ kind, filter, onFilter }: FilterProps) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={open}>
        Filter
      </Button>
      <Modal opened={opened} onClose={close} title={`Filter ${kind.plural.toLowerCase()}`} size="xl">
        <Builder
          kind={kind}
          filter={filter}
          onFilter={(next) => {
            close()
            onFilter(next)
          }}
        />
      </Modal>
    </>
  )
}

function Builder({ kind, filter, onFilter }: FilterProps) {
  const places = comparablePlaces(kind)
  const first: Row = rowFor(places.find(({ path }) => path === 'status') ?? (places[0] as Place))
  const read = rowsOf(filter, kind)
  const [{ match, rows }, setRows] = useState<Rows>(
    read && read.rows.length > 0 ? read : { match: 'and', rows: [first] },
  )
  const put = (index: number, row: Row) => setRows({ match, rows: rows.with(index, row) })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A number that cannot be read would be left out of the filter without a word.
    if (event.currentTarget.querySelector('[aria-invalid=true]')) return showFirstError(event.currentTarget)
    onFilter(filterOf({ match, rows }, kind))
  }
  return (
    <form onSubmit={submit}>
      {!read && filter && (
        <Text size="sm" mb="md" component="div">
          This filter is too complex to edit here. If you apply the conditions below, they replace it.
          <Code block mt="xs">
            {JSON.stringify(filter, null, 2)}
          </Code>
        </Text>
      )}
      <Group gap="xs" mb="md">
        <Text size="sm">Show objects that match</Text>
        <SegmentedControl
          size="xs"
          aria-label="How the conditions are combined"
          value={match}
          onChange={(next) => setRows({ match: next as Rows['match'], rows })}
          data={[
            { value: 'and', label: 'all conditions' },
            { value: 'or', label: 'any condition' },
          ]}
        />
      </Group>
      <Stack gap="sm">
        {rows.map((row, index) => (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the conditions have no id of their own
            key={index}
            number={index + 1}
            row={row}
            kind={kind}
            places={places}
            onChange={(next) => put(index, next)}
            remove={() => setRows({ match, rows: rows.filter((_, other) => other !== index) })}
          />
        ))}
      </Stack>
      <Button
        mt="sm"
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setRows({ match, rows: [...rows, first] })}
      >
        Add condition
      </Button>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => onFilter(undefined)} disabled={!filter}>
          Clear filter
        </Button>
        <Button type="submit">Apply</Button>
      </Group>
    </form>
  )
}

type ConditionRowProps = {
  number: number
  row: Row
  kind: Kind
  places: readonly Place[]
  onChange: (row: Row) => void
  remove: () => void
}

function ConditionRow({ number, row, kind, places, onChange, remove }: ConditionRowProps) {
  const place = places.find(({ path }) => path === row.field) as Place
  const choices = choicesFor(place.shape).map((choice) => ({ value: choice, label: wordsFor(choice, place.shape) }))
  return (
    <Group gap="xs" align="flex-start" role="group" aria-label={`Condition ${number}`}>
      <Box flex="1 1 11rem">
        <Select
          aria-label={`Field ${number}`}
          value={row.field}
          choices={places.map(({ path, label }) => ({ value: path, label }))}
          nothingFoundMessage="No field found"
          onChange={(field) => field && onChange(rowFor(places.find(({ path }) => path === field) as Place))}
        />
      </Box>
      <Box flex="1 1 8rem">
        <Select
          aria-label={`Comparison ${number}`}
          value={row.choice}
          choices={choices}
          onChange={(choice) =>
            choice &&
            onChange({
              ...row,
              choice: choice as Choice,
              value: (choice === 'in') === (row.choice === 'in') ? row.value : choice === 'in' ? [] : '',
            })
          }
        />
      </Box>
      {!takesNoValue(row.choice) && (
        <FilterValue
          key={row.field}
          label={`Value ${number}`}
          kind={kind}
          shape={place.shape}
          row={row}
          onChange={(value) => onChange({ ...row, value })}
        />
      )}
      <ActionIcon variant="default" size={36} aria-label={`Remove condition ${number}`} onClick={remove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

function rowFor({ path, shape }: Place): Row {
  return { field: path, choice: choicesFor(shape)[0] as Choice, value: '' }
}
