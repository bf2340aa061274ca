import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'
import { everyApplication, type LogSearch } from './search.ts'

export type Entry = Schemas['RequestLogEntry']
export type EntryWithAnswer = Schemas['RequestLogEntryWithAnswer']

/** Not kept: whoever opens the log wants to see what was asked until now. */
export const requestLogQuery = ({ page = 1, status, method, path, application, request_id, from, to }: LogSearch) =>
  queryOptions({
    queryKey: ['request-log', 'list', page, status, method, path, application, request_id, from, to],
    staleTime: 0,
    // Each look at the log is a request as well.
    refetchOnWindowFocus: false,
    queryFn: () =>
      answered(
        lading.GET('/api/v1/request_log', {
          params: {
            query: {
              limit: pageSize,
              offset: (page - 1) * pageSize,
              ...(status && { status }),
              ...(method && { method }),
              ...(path && { path }),
              ...applicationOf(application, request_id),
              ...(request_id && { request_id }),
              ...(from && { from: new Date(from).toISOString() }),
              ...(to && { to: new Date(new Date(to).getTime() + 59_999).toISOString() }),
            },
          },
        }),
      ),
  })

/** A request that is named by its id is shown whoever sent it. */
function applicationOf(
  application: string | undefined,
  requestId: string | undefined,
): { application_id?: string; from_console?: false } {
  if (application === undefined) return requestId ? {} : { from_console: false }
  return application === everyApplication ? {} : { application_id: application }
}

export const entryQuery = (entryID: string) =>
  queryOptions({
    queryKey: ['request-log', entryID],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/request_log/{entryID}', { params: { path: { entryID } } })))
        .request_log_entry,
    // What was logged stays as it is.
    staleTime: Number.POSITIVE_INFINITY,
  })
