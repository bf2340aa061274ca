import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { plainQueries } from '../../app/resource/plain-queries.ts'

export type BillItemType = Schemas['BillItemType']
export type Content = Pick<BillItemType, 'name' | 'class' | 'external_id' | 'qb_external_id'>

/** Bills show the names of the types of their lines. */
export const billItemTypeQueries = plainQueries<BillItemType, Content>({
  ...{ key: 'bill-item-types', all: '/api/v1/bill_item_types', parameter: 'billItemTypeID' },
  ...{ plural: 'bill_item_types', noun: 'bill_item_type', alsoTouches: ['bills', 'statements'] },
})
export const { choices: choicesQuery, choice: choiceQuery } = billItemTypeQueries

/** Those that a typed name is looked up among. */
export const everyBillItemTypeQuery = queryOptions({
  queryKey: ['bill-item-types', 'every'],
  queryFn: () =>
    everyRow('bill_item_types', (query) => answered(lading.GET('/api/v1/bill_item_types', { params: { query } }))),
})
