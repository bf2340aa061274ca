import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'

export type Period = Schemas['AccountingPeriod']

const path = (accountingPeriodID: string) => ({ params: { path: { accountingPeriodID } } })
const changed = { touches: ['accounting-periods'] }

export const periodsQuery = (page: number) => {
  const query = { limit: pageSize, offset: (page - 1) * pageSize }
  return queryOptions({
    queryKey: ['accounting-periods', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/accounting_periods', { params: { query } })),
  })
}

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['accounting-periods', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/accounting_periods/{accountingPeriodID}/history', {
          params: { path: { accountingPeriodID: id }, query: { limit } },
        }),
      ),
  })

export function useCreatePeriod() {
  return useChange(
    (body: { starts_on: string; ends_on: string }) => answered(lading.POST('/api/v1/accounting_periods', { body })),
    changed,
  )
}

export function useClosePeriod({ id, revision }: Period) {
  return useChange(
    () =>
      answered(
        lading.POST('/api/v1/accounting_periods/{accountingPeriodID}/close', {
          ...path(id),
          ...ifUnchanged(revision),
          body: {},
        }),
      ),
    changed,
  )
}

export function useReopenPeriod({ id, revision }: Period) {
  return useChange(
    (reason: string) =>
      answered(
        lading.POST('/api/v1/accounting_periods/{accountingPeriodID}/reopen', {
          ...path(id),
          ...ifUnchanged(revision),
          body: { reason },
        }),
      ),
    changed,
  )
}

export function useDeletePeriod({ id, revision }: Period) {
  return useChange(
    () =>
      answered(
        lading.DELETE('/api/v1/accounting_periods/{accountingPeriodID}', { ...path(id), ...ifUnchanged(revision) }),
      ),
    changed,
  )
}
