import { Box, Button, Collapse, Group, Paper, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconSearch, IconX } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { CarrierSelect } from '../billing/carriers.tsx'
import { CurrencySelect } from '../billing/selects.tsx'
import { useTyped } from '../parts/use-typed.ts'
import { type BillSearch, isFiltered, ranges, sorts } from './search.ts'

const rangeWords = { due: 'Due', created: 'Created', changed: 'Changed' }

type FiltersProps = { search: BillSearch; change: (next: Partial<Record<keyof BillSearch, string | null>>) => void; clear: () => void }

/** Every filter is in the address, so that it can be kept, sent to a colleague and gone back to. */
export function Filters({ search, change, clear }: FiltersProps) {
  const dated = ranges.filter((range) => search[`${range}_from`] || search[`${range}_to`]).length
  const [more, { toggle }] = useDisclosure(dated > 0)
  // On a phone they would stand between the clerk and the bills.
  const onWide = more ? {} : { visibleFrom: 'xs' as const }
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
        <Reference value={search.reference ?? ''} change={(reference) => change({ reference })} />
        <Box {...onWide}>
          <CarrierSelect placeholder="Any" value={search.carrier ?? null} onChange={(carrier) => change({ carrier })} />
        </Box>
        <Box {...onWide}>
          <CurrencySelect placeholder="Any" value={search.currency ?? null} onChange={(currency) => change({ currency })} />
        </Box>
        <Box {...onWide}>
          <Select
            label="Order"
            data={Object.entries(sorts).map(([value, label]) => ({ value, label }))}
            value={search.sort ?? '-created_at'}
            allowDeselect={false}
            onChange={(sort) => change({ sort: sort === '-created_at' ? null : sort })}
          />
        </Box>
      </SimpleGrid>
      <Collapse expanded={more}>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm" mt="sm">
          {ranges.map((range) => (
            <Group key={range} grow gap="xs" wrap="nowrap">
              {(['from', 'to'] as const).map((end) => (
                <TextInput
                  key={end}
                  type="date"
                  label={`${rangeWords[range]} ${end}`}
                  value={search[`${range}_${end}`] ?? ''}
                  onChange={(event) => change({ [`${range}_${end}`]: event.currentTarget.value })}
                />
              ))}
            </Group>
          ))}
        </SimpleGrid>
      </Collapse>
      <Group mt="sm" gap="xs">
        <Button size="xs" variant="subtle" leftSection={<IconAdjustments size={15} aria-hidden />} onClick={toggle} aria-expanded={more}>
          {more ? 'Fewer filters' : `More filters${dated > 0 ? ` (${dated})` : ''}`}
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

/** Whole numbers are looked for, so it waits until one is typed: until Enter, or until the field is left. */
function Reference({ value, change }: { value: string; change: (next: string) => void }) {
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
        label="Reference number"
        placeholder="INV-20417"
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
