import { Button, Checkbox, Collapse, Group, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { IconFilter, IconX } from '../../app/icons/icons.ts'
import { SearchField } from '../../app/table/search-field.tsx'
import { TextFilter } from '../../app/table/text-filter.tsx'
import { boardsQuery, viewOf } from '../../records/boards/boards.ts'
import { BoardsMenu } from '../../records/boards/boards-menu.tsx'
import type { View } from '../../records/boards/view.ts'
import { ReferenceInput } from '../../records/form/reference-input.tsx'
import { wordsOf } from '../../records/kinds/kind.ts'
import { useKinds } from '../../records/kinds/queries.ts'
import { filterOf, partIn } from './board-filter.ts'
import { type Change, columns, type DispatchSearch, states, statesIn } from './trips/search.ts'

type FiltersProps = { search: DispatchSearch; change: Change }

const names = ['status', 'carrier', 'equipment', 'driver', 'from', 'to'] as const
const none = {
  board: undefined,
  status: undefined,
  carrier: undefined,
  equipment: undefined,
  driver: undefined,
  from: undefined,
  to: undefined,
}

/** The search text, the saved boards, and the filters, which open below. */
export function Filters({ search, change }: FiltersProps) {
  const count = names.filter((name) => search[name]).length
  const [opened, { toggle }] = useDisclosure(false)
  const id = useId()
  return (
    <>
      <Group gap="xs" align="flex-start" mb="sm">
        <SearchField label="Search manifests" value={search.q ?? ''} change={(q) => change({ q })} />
        <Boards search={search} change={change} />
        <Button
          variant="default"
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={opened}
          aria-controls={id}
          onClick={toggle}
        >
          Filters{count > 0 && `: ${count}`}
        </Button>
        {count > 0 && (
          <Button variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={() => change(none)}>
            Clear filters
          </Button>
        )}
      </Group>
      <Collapse expanded={opened} id={id}>
        <Paper withBorder p={{ base: 'sm', sm: 'md' }} mb="md" component="section" aria-label="Filters">
          <Fields search={search} change={change} />
        </Paper>
      </Collapse>
    </>
  )
}

/** Boards of manifests. One with conditions that this page has no filter for opens in the list of manifests. */
function Boards({ search, change }: FiltersProps) {
  const navigate = useNavigate()
  const kind = useKinds().find(({ objectKey }) => objectKey === 'manifest')
  const { data: boards = [] } = useQuery(boardsQuery('manifest'))
  const board = boards.find(({ id }) => id === search.board)
  if (!kind) return null
  const { filter: _, ...kept } = board ? viewOf(board) : ({} as View)
  const filter = filterOf(search)
  const open = (view: View) => {
    const part = partIn(view.filter)
    if (part) change({ ...none, ...part, board: view.board })
    else void navigate({ to: '/objects/manifest', search: view as never })
  }
  return (
    <BoardsMenu
      kind={kind}
      view={{ ...kept, ...(search.board && { board: search.board }), ...(filter && { filter }) }}
      open={open}
    />
  )
}

function Fields({ search, change }: FiltersProps) {
  const chosen = statesIn(search)
  const choose = (next: readonly string[]) => {
    const inOrder = states.filter((state) => next.includes(state))
    change({ status: inOrder.length === 0 || inOrder.join() === columns.join() ? undefined : inOrder.join() })
  }
  return (
    <>
      <Checkbox.Group label="States" value={[...chosen]} onChange={choose} mb="sm">
        <Group gap="md" mt={4}>
          {states.map((state) => (
            <Checkbox key={state} value={state} label={wordsOf(state)} />
          ))}
        </Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} spacing="sm">
        <ReferenceInput
          label="Carrier"
          objectKey="partner"
          value={search.carrier ?? ''}
          onChange={(carrier) => change({ carrier })}
        />
        <ReferenceInput
          label="Equipment"
          objectKey="equipment"
          value={search.equipment ?? ''}
          onChange={(equipment) => change({ equipment })}
        />
        <TextFilter label="Driver" value={search.driver ?? ''} change={(driver) => change({ driver })} />
        <TextInput
          type="date"
          label="From"
          value={search.from ?? ''}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To"
          value={search.to ?? ''}
          onChange={({ currentTarget }) => change({ to: currentTarget.value })}
        />
      </SimpleGrid>
    </>
  )
}
