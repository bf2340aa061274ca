import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { settings } from '../../app/api/settings.ts'
import { FilterPanel } from '../../app/table/filter-panel.tsx'
import { TextFilter } from '../../app/table/text-filter.tsx'
import { applicationNamesQuery } from '../oauth-applications/queries.ts'
import { everyApplication, isStatus, type LogSearch } from './search.ts'

type FiltersProps = { search: LogSearch; change: (make: (before: LogSearch) => LogSearch) => void }

export function Filters({ search: { page: _, ...search }, change }: FiltersProps) {
  const { data: applications = [] } = useQuery(applicationNamesQuery)
  const set = (key: keyof typeof search, value: string | null) =>
    change(({ page: __, [key]: ___, ...others }) => ({ ...others, ...(value && { [key]: value }) }))
  const choices = [
    ...applications.map(({ client_id, name }) => ({ value: client_id, label: name })),
    { value: settings.clientId, label: 'Console' },
    { value: everyApplication, label: 'All, and the console' },
  ]
  return (
    <FilterPanel count={Object.keys(search).length} clear={() => change(() => ({}))}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <TextFilter
          label="Path begins with"
          placeholder="/api/v1/bills"
          value={search.path ?? ''}
          change={(path) => set('path', path)}
        />
        <TextFilter
          label="Status"
          placeholder="404, or 4xx"
          value={search.status ?? ''}
          change={(status) => set('status', status.toLowerCase())}
          check={checkStatus}
        />
        <Select
          label="Method"
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the method' }}
          data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE']}
          value={search.method ?? null}
          onChange={(method) => set('method', method)}
        />
        <Select
          label="Application"
          placeholder="All but the console"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the application' }}
          data={choices}
          value={search.application ?? null}
          onChange={(application) => set('application', application)}
        />
        <TextInput
          type="datetime-local"
          label="From"
          value={search.from ?? ''}
          onChange={(event) => set('from', event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="To"
          value={search.to ?? ''}
          onChange={(event) => set('to', event.currentTarget.value)}
        />
        <TextFilter label="Request id" value={search.request_id ?? ''} change={(id) => set('request_id', id)} />
      </SimpleGrid>
    </FilterPanel>
  )
}

function checkStatus(typed: string): string | null {
  return typed === '' || isStatus(typed.toLowerCase()) ? null : 'Enter a status such as 404, or a class such as 4xx.'
}
