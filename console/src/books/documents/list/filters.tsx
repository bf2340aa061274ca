import { Button, Checkbox, Collapse, Group, SimpleGrid, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import type { FormEvent } from 'react'
import { IconAdjustments, IconSearch, IconX } from '../../../app/icons/icons.ts'
import { CurrencySelect } from '../../../app/inputs/currency-select.tsx'
import { Select } from '../../../app/inputs/select.tsx'
import { useTyped } from '../../../app/table/use-typed.ts'
import { shortLabelOf } from '../field.ts'
import {
  defaultSortOf,
  type FilterField,
  filtersOf,
  isFiltered,
  keysOf,
  type List,
  type Search,
  sortOf,
} from '../search.ts'
import { PartySelect } from '../shown/parties.tsx'
import styles from './filters.module.css'

type Change = (next: Record<string, string | null>, options?: { replace: boolean }) => void
type FiltersProps = { list: List; search: Search; change: Change; clear: () => void }

/** Every filter is in the address, so that a list can be bookmarked and sent to a colleague, and the back button works. */
export function Filters({ list, search, change, clear }: FiltersProps) {
  const filters = filtersOf(list)
  const selects = filters.filter(isSelect)
  const others = filters.filter((field) => !isSelect(field))
  const othersSet = others.filter((field) => keysOf(field).some((key) => search[key])).length
  const [more, { toggle }] = useDisclosure(othersSet > 0)
  const later = { 'data-later': more ? undefined : true }
  return (
    <section aria-label="Filters">
      <div className={styles.bar}>
        {list.term && <Term label={list.term.label} value={search.q ?? ''} change={change} />}
        {selects.map((field) => (
          <div key={field.name} className={styles.one} {...later}>
            <OneFilter field={field} search={search} change={change} />
          </div>
        ))}
        {Object.keys(list.sorts).length > 0 && (
          <div className={styles.one} {...later}>
            <Order list={list} search={search} change={change} />
          </div>
        )}
        <Button
          variant="subtle"
          px="xs"
          leftSection={<IconAdjustments size={15} aria-hidden />}
          onClick={toggle}
          aria-expanded={more}
          {...(others.length === 0 && { hiddenFrom: 'xs' as const })}
        >
          {more ? 'Fewer filters' : `More filters${othersSet > 0 ? ` (${othersSet})` : ''}`}
        </Button>
        {isFiltered(search) && (
          <Button variant="subtle" px="xs" leftSection={<IconX size={15} aria-hidden />} onClick={clear}>
            Clear filters
          </Button>
        )}
      </div>
      {others.length > 0 && (
        <Collapse expanded={more} className={styles.more ?? ''}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
            {others.map((field) =>
              'flag' in field.filter ? (
                <Flag key={field.name} field={field} search={search} change={change} />
              ) : field.kind === 'text' ? (
                <WholeText key={field.name} field={field} search={search} change={change} />
              ) : (
                <Days key={field.name} field={field} search={search} change={change} />
              ),
            )}
          </SimpleGrid>
        </Collapse>
      )}
    </section>
  )
}

/** Searches while the person types. The first letters are a step that the back button takes back, further ones are part of it. */
function Term({ label, value, change }: { label: string; value: string; change: Change }) {
  const { typed, setTyped, applied } = useTyped(value)
  const apply = useDebouncedCallback((term: string) => {
    if (term === value) return
    applied.current = term
    change({ q: term }, { replace: value !== '' && term !== '' })
  }, 250)
  return (
    <TextInput
      className={styles.term ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={255}
      autoComplete="off"
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      // Applied after a link was followed, it would lead back from there.
      onBlur={() => apply.flush()}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        apply(currentTarget.value.trim())
      }}
    />
  )
}

function isSelect({ kind }: FilterField): boolean {
  return kind === 'carrier' || kind === 'customer' || kind === 'currency' || kind === 'choice'
}

type OneFilterProps = { field: FilterField; search: Search; change: Change }

function OneFilter({ field, search, change }: OneFilterProps) {
  const { filter, kind, label, options = {} } = field
  const value = String(search[filter.key] ?? '')
  const set = (next: string | null) => change({ [filter.key]: next })
  // What a filter is about stands in it until a value is chosen; screen readers always read its label.
  const select = {
    label,
    placeholder: label,
    labelProps: { className: styles.hidden },
    noneLabel: 'Any',
    value: value || null,
    onChange: set,
  }
  switch (kind) {
    case 'carrier':
    case 'customer':
      return <PartySelect party={kind} {...select} />
    case 'currency':
      return <CurrencySelect {...select} />
    case 'choice':
      return (
        <Select
          {...select}
          clearable
          choices={Object.entries(options).map(([option, words]) => ({ value: option, label: words }))}
        />
      )
    default:
      return null
  }
}

function Order({ list, search, change }: { list: List; search: Search; change: Change }) {
  return (
    <Select
      aria-label="Order"
      choices={Object.entries(list.sorts).map(([value, label]) => ({ value, label }))}
      value={sortOf(list, search) ?? null}
      onChange={(next) => change({ sort: next === defaultSortOf(list, search) ? null : next })}
    />
  )
}

/** A box that adds to what is listed, or limits it. */
function Flag({ field: { filter }, search, change }: OneFilterProps) {
  if (!('flag' in filter)) return null
  return (
    <Checkbox
      mt={{ base: 0, xs: 30 }}
      label={filter.words}
      checked={search[filter.key] === 'yes'}
      onChange={(event) => change({ [filter.key]: event.currentTarget.checked ? 'yes' : null })}
    />
  )
}

/** One day, or the two that limit a range. */
function Days({ field, search, change }: OneFilterProps) {
  const isRange = 'from' in field.filter
  return (
    <Group grow gap="xs" wrap="nowrap">
      {keysOf(field).map((key, end) => (
        <TextInput
          key={key}
          type="date"
          label={isRange ? `${shortLabelOf(field)} ${end === 0 ? 'from' : 'to'}` : field.label}
          value={search[key] ?? ''}
          onChange={(event) => change({ [key]: event.currentTarget.value })}
        />
      ))}
    </Group>
  )
}

/** The API compares whole texts, so the search starts with Enter, or when the field loses the focus. */
function WholeText({ field: { label, filter }, search, change }: OneFilterProps) {
  const value = String(search[filter.key] ?? '')
  const { typed, setTyped, applied } = useTyped(value)
  const apply = () => {
    if (typed.trim() === value) return
    applied.current = typed.trim()
    change({ [filter.key]: typed.trim() })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        {...(filter.placeholder && { placeholder: filter.placeholder })}
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
