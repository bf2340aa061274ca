import { queryOptions } from '@tanstack/react-query'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

/** The run that made a payment; the pages of runs read it too. */
export const runQuery = (paymentRunID: string) =>
  queryOptions({
    queryKey: ['payment-runs', paymentRunID],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/payment_runs/{paymentRunID}', { params: { path: { paymentRunID } } })))
        .payment_run,
  })
