import { keepPreviousData, useQueries } from '@tanstack/react-query'

/** How many there are under each tab and the other filters; a total alone costs the server next to nothing. */
export function useTotalsOf<Tab extends string>(
  what: string,
  tabs: readonly Tab[],
  filters: object,
  totalOf: (tab: Tab) => Promise<number>,
): Record<Tab, number | undefined> {
  const asked = useQueries({
    queries: tabs.map((tab) => ({ queryKey: [what, 'total', tab, filters], queryFn: () => totalOf(tab), placeholderData: keepPreviousData })),
  })
  return Object.fromEntries(tabs.map((tab, index) => [tab, asked[index]?.data])) as Record<Tab, number | undefined>
}
