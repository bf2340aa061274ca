import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { filterQueryOf, type List, type Search } from './search.ts'

/**
 * How many there are under each tab with the filters that are set, but for the tab that is shown: its list has the total. The API answers a total without
 * reading the records.
 */
export function useTotalsOf(
  key: readonly unknown[],
  list: List,
  { state, sort: _, page: __, size: ___, ...filters }: Search,
  totalOf: (query: object) => Promise<number>,
  enabled = true,
): Record<string, number | undefined> {
  const tabs = Object.keys(list.tabs)
  const shown = state ?? tabs[0]
  const results = useQueries({
    queries: tabs.map((tab) => ({
      queryKey: [...key, 'total', tab, filters],
      queryFn: () => totalOf({ ...filterQueryOf(list, { ...filters, state: tab }), limit: 0 }),
      placeholderData: keepPreviousData,
      enabled: enabled && tab !== shown,
    })),
  })
  return Object.fromEntries(tabs.map((tab, index) => [tab, results[index]?.data]))
}
