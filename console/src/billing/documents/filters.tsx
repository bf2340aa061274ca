import { Box, Button, Collapse, Group, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconSearch, IconX } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { Select } from '../../parts/select.tsx'
import { useTyped } from '../../parts/use-typed.ts'
import { CarrierSelect } from '../carriers.tsx'
import { CurrencySelect } from '../selects.tsx'
import { shortLabelOf } from './field.ts'
import { type FilterField, filtersOf, isFiltered, keysOf, type List, type Search } from './search.ts'

type Change = (next: Record<string, string | null>) => void
type FiltersProps = { list: List; search: Search; change: Change; clear: () => void }

/** Every filter is in the address, so that a list can be bookmarked and sent to a colleague, and the back button works. */
export function Filters({ list, search, change, clear }: FiltersProps) {
  const filters = filtersOf(list)
  const single = filters.filter(({ filter }) => 'param' in filter)
  // Texts come first: a number that somebody has at hand is looked up most often.
  const [first, ...rest] = [...single.filter(({ kind }) => kind === 'text'), ...single.filter(({ kind }) => kind !== 'text')]
  const ranges = filters.filter(({ filter }) => !('param' in filter))
  const rangesSet = ranges.filter((field) => keysOf(field).some((key) => search[key])).length
  const [more, { toggle }] = useDisclosure(rangesSet > 0)
  // On a phone all but the first are hidden at first: they would push the list off the screen.
  const onWide = more ? {} : { visibleFrom: 'xs' as const }
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
        {first && <OneFilter field={first} search={search} change={change} />}
        {rest.map((field) => (
          <Box key={field.name} {...onWide}>
            <OneFilter field={field} search={search} change={change} />
          </Box>
        ))}
        {Object.keys(list.sorts).length > 0 && (
          <Box {...onWide}>
            <Order sorts={list.sorts} sort={search.sort} change={change} />
          </Box>
        )}
      </SimpleGrid>
      {ranges.length > 0 && (
        <Collapse expanded={more}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm" mt="sm">
            {ranges.map((field) => (
              <Range key={field.name} field={field} search={search} change={change} />
            ))}
          </SimpleGrid>
        </Collapse>
      )}
      <Group mt="sm" gap="xs" {...(ranges.length === 0 && !isFiltered(search) && { hiddenFrom: 'xs' as const })}>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconAdjustments size={15} aria-hidden />}
          onClick={toggle}
          aria-expanded={more}
          {...(ranges.length === 0 && { hiddenFrom: 'xs' as const })}
        >
          {more ? 'Fewer filters' : `More filters${rangesSet > 0 ? ` (${rangesSet})` : ''}`}
        </Button>
        {isFiltered(search) && (
          <Button size="xs" variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
    </Paper>
  )
}

type OneFilterProps = { field: FilterField; search: Search; change: Change }

function OneFilter({ field, search, change }: OneFilterProps) {
  const { filter, kind, label, options = {} } = field
  const value = String(search[filter.key] ?? '')
  const set = (next: string | null) => change({ [filter.key]: next })
  const select = { label, placeholder: 'Any', noneLabel: 'Any', value: value || null, onChange: set }
  switch (kind) {
    case 'carrier':
      return <CarrierSelect {...select} />
    case 'currency':
      return <CurrencySelect {...select} />
    case 'choice':
      return <Select {...select} clearable choices={Object.entries(options).map(([option, words]) => ({ value: option, label: words }))} />
    case 'day':
    case 'period':
      return <TextInput type="date" label={label} value={value} onChange={(event) => set(event.currentTarget.value)} />
    default:
      return <WholeText label={label} placeholder={filter.placeholder} value={value} change={set} />
  }
}

function Order({ sorts, sort, change }: { sorts: List['sorts']; sort: string | undefined; change: Change }) {
  const [first = ''] = Object.keys(sorts)
  return (
    <Select
      label="Order"
      choices={Object.entries(sorts).map(([value, label]) => ({ value, label }))}
      value={sort ?? first}
      onChange={(next) => change({ sort: next === first ? null : next })}
    />
  )
}

function Range({ field, search, change }: OneFilterProps) {
  return (
    <Group grow gap="xs" wrap="nowrap">
      {keysOf(field).map((key, end) => (
        <TextInput
          key={key}
          type="date"
          label={`${shortLabelOf(field)} ${end === 0 ? 'from' : 'to'}`}
          value={search[key] ?? ''}
          onChange={(event) => change({ [key]: event.currentTarget.value })}
        />
      ))}
    </Group>
  )
}

/** The API compares whole texts, so the search starts with Enter, or when the field loses the focus. */
function WholeText({ label, placeholder, value, change }: { label: string; placeholder: string | undefined; value: string; change: (next: string) => void }) {
  const { typed, setTyped, applied } = useTyped(value)
  const apply = () => {
    if (typed.trim() === value) return
    applied.current = typed.trim()
    change(typed.trim())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        {...(placeholder && { placeholder })}
        maxLength={255}
        value={typed}
        autoComplete="off"
        leftSection={<IconSearch size={16} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  )
}
