import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type BillItemType = Schemas['BillItemType']
export type Content = Pick<BillItemType, 'name' | 'class' | 'external_id' | 'qb_external_id'>

const path = (billItemTypeID: string) => ({ params: { path: { billItemTypeID } } })

/** Bills show the names of the types of their lines. */
const changed = { touches: ['bill-item-types', 'bills', 'statements'] }

export const billItemTypesQuery = (query: { search_term?: string; limit?: number; offset?: number }) =>
  queryOptions({
    queryKey: ['bill-item-types', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/bill_item_types', { params: { query } })),
  })

/** Those that a typed name is looked up among. */
export const everyBillItemTypeQuery = queryOptions({
  queryKey: ['bill-item-types', 'every'],
  queryFn: () =>
    everyRow('bill_item_types', (query) => answered(lading.GET('/api/v1/bill_item_types', { params: { query } }))),
})

/** The choices of a select while the person types. */
export const choicesQuery = (term: string) =>
  queryOptions({
    queryKey: ['bill-item-types', 'choices', term],
    queryFn: async () => {
      const query = { limit: 50, ...(term && { search_term: term }) }
      const { bill_item_types } = await answered(lading.GET('/api/v1/bill_item_types', { params: { query } }))
      return bill_item_types.map(({ id, name }) => ({ value: id, label: name }))
    },
  })

export const choiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['bill-item-types', 'choice', id],
    queryFn: async () => {
      const { bill_item_type } = await answered(lading.GET('/api/v1/bill_item_types/{billItemTypeID}', path(id)))
      return [{ value: id, label: bill_item_type.name }]
    },
  })

export const billItemTypeQuery = (id: string) =>
  queryOptions({
    queryKey: ['bill-item-types', id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/bill_item_types/{billItemTypeID}', path(id)))).bill_item_type,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['bill-item-types', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/bill_item_types/{billItemTypeID}/history', {
          params: { path: { billItemTypeID: id }, query: { limit } },
        }),
      ),
  })

export function useCreateBillItemType() {
  return useChange((body: Content) => answered(lading.POST('/api/v1/bill_item_types', { body })), changed)
}

export function useUpdateBillItemType(id: string) {
  return useChange(
    ({ changes, revision }: { changes: Partial<Content>; revision: number }) =>
      answered(
        lading.PUT('/api/v1/bill_item_types/{billItemTypeID}', {
          ...path(id),
          ...ifUnchanged(revision),
          body: changes,
        }),
      ),
    changed,
  )
}

export function useDeleteBillItemType({ id, revision }: BillItemType) {
  return useChange(
    () =>
      answered(lading.DELETE('/api/v1/bill_item_types/{billItemTypeID}', { ...path(id), ...ifUnchanged(revision) })),
    changed,
  )
}
