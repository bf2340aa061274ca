import { queryOptions, useQuery } from '@tanstack/react-query'
import { browserZone, todayIn } from '../values/dates.ts'
import { answered } from './problem.ts'
import { lading } from './session.ts'

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: async () => (await answered(lading.GET('/api/v1/organization'))).organization,
})

/** The time zone of the organization, whose days are those of the books; that of the browser until it is known. */
export function useOrganizationZone(): string {
  return useQuery(organizationQuery).data?.time_zone ?? browserZone()
}

/** Today where the organization is: a payment that is recorded from elsewhere is of that day. */
export function useBooksToday(): string {
  return todayIn(useOrganizationZone())
}
