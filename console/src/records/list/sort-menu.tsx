import { ActionIcon, Box, Group } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '../../app/icons/icons.ts'
import { Select } from '../../app/inputs/select.tsx'
import { defaultSortOf } from '../boards/view.ts'
import { comparablePlaces, type Kind } from '../kinds/kind.ts'

export function SortMenu({
  kind,
  sort: chosen,
  onSort,
}: {
  kind: Kind
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}) {
  const defaultSort = defaultSortOf(kind)
  const sort = chosen ?? defaultSort
  const isDown = sort.startsWith('-')
  const field = sort.replace(/^-/, '')
  const places = comparablePlaces(kind).filter(
    ({ shape }) => !['address', 'list', 'multi-select', 'reference'].includes(shape.type),
  )
  const offered = places.map(({ path, label }) => ({ value: path, label }))
  const known = offered.some(({ value }) => value === field) ? offered : [{ value: field, label: field }, ...offered]
  const put = (next: string) => onSort(next === defaultSort ? undefined : next)
  return (
    <Group gap={4} wrap="nowrap">
      <Box w={170}>
        <Select
          aria-label="Sort by"
          value={field}
          choices={known}
          onChange={(next) => next && put(next)}
          nothingFoundMessage="No field found"
        />
      </Box>
      <ActionIcon
        variant="default"
        size={32}
        aria-label={isDown ? 'Descending; sort ascending' : 'Ascending; sort descending'}
        onClick={() => put(isDown ? field : `-${field}`)}
      >
        {isDown ? <IconSortDescending size={16} aria-hidden /> : <IconSortAscending size={16} aria-hidden />}
      </ActionIcon>
    </Group>
  )
}
