import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'
import type { LogSearch } from './search.ts'

export type SecurityEvent = Schemas['SecurityEvent']
export type EventType = SecurityEvent['type']

/** Not kept: whoever opens the log wants to see what happened until now. */
export const securityEventsQuery = ({ page = 1, type, from, to }: LogSearch) =>
  queryOptions({
    queryKey: ['security-log', page, type, from, to],
    staleTime: 0,
    queryFn: () =>
      answered(
        lading.GET('/api/v1/security_events', {
          params: {
            query: {
              limit: pageSize,
              offset: (page - 1) * pageSize,
              ...(type && { types: [type as EventType] }),
              ...(from && { occurred_start_at: new Date(`${from}T00:00:00`).toISOString() }),
              ...(to && { occurred_end_at: new Date(`${to}T23:59:59.999`).toISOString() }),
            },
          },
        }),
      ),
  })
