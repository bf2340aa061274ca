import type { Schemas } from '@lading/sdk'
import { plainQueries } from '../../app/resource/plain-queries.ts'

export type PayTerm = Schemas['PayTerm']
export type Mappings = PayTerm['connector_mappings']
export type Content = { name: string; number_of_days: number; connector_mappings: Mappings }

/** Bills show the names of pay terms. */
export const payTermQueries = plainQueries<PayTerm, Content>({
  ...{ key: 'pay-terms', all: '/api/v1/pay_terms', parameter: 'payTermID', plural: 'pay_terms', noun: 'pay_term' },
  alsoTouches: ['bills', 'statements'],
})
export const { list: payTermsQuery, one: payTermQuery } = payTermQueries
