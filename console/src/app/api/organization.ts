import { queryOptions } from '@tanstack/react-query'
import { answered } from './problem.ts'
import { lading } from './session.ts'

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: async () => (await answered(lading.GET('/api/v1/organization'))).organization,
})
