import { SimpleGrid } from '@mantine/core'
import { FilterPanel } from '../../app/table/filter-panel.tsx'
import { TextFilter } from '../../app/table/text-filter.tsx'
import type { EventSearch } from '../events/search.ts'
import { TypesField } from '../events/types-field.tsx'

type FiltersProps = { search: EventSearch; change: (make: (before: EventSearch) => EventSearch) => void }

export function Filters({ search, change }: FiltersProps) {
  const set = (key: 'types' | 'subject_id' | 'request_id', value: string | string[]) =>
    change(({ [key]: _, subject_type, ...others }) => ({
      ...others,
      // The kind of record belongs to the record that a link named.
      ...(subject_type && key !== 'subject_id' && { subject_type }),
      ...(value.length > 0 && { [key]: value }),
    }))
  return (
    <FilterPanel count={Object.keys(search).length} clear={() => change(() => ({}))}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <TypesField
          label="Types"
          placeholder={search.types ? '' : 'All, or such as bill.*'}
          value={search.types ?? []}
          onChange={(types) => set('types', types)}
        />
        <TextFilter
          label="Id of the record"
          value={search.subject_id ?? ''}
          change={(id) => set('subject_id', id)}
          check={checkId}
        />
        <TextFilter label="Id of the request" value={search.request_id ?? ''} change={(id) => set('request_id', id)} />
      </SimpleGrid>
    </FilterPanel>
  )
}

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function checkId(typed: string): string | null {
  return typed === '' || id.test(typed) ? null : 'Enter a whole id, such as 01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15.'
}
