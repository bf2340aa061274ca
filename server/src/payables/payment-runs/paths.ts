import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { findRun } from './store.ts'

export const config = { scope: 'bills' } as const
export const paying = { scope: 'bills', right: 'pay' } as const
export const tags = ['Payment runs']
export const all = '/payment_runs'
export const one = `${all}/:paymentRunID`
export const params = referenceParam('paymentRunID', 'payment run', undefined, 'RUN-000012')
export const One = Type.Object({ payment_run: Type.Ref('PaymentRun') })
export const response = answers({ 200: One })

export function runIn(sent: string): Reference {
  return referenceIn(sent, 'paymentRunID', 'RUN')
}

export async function requireRun(ctx: Parameters<typeof findRun>[0], sent: string) {
  const run = await findRun(ctx, runIn(sent))
  if (!run) throw notFound('payment run', sent)
  return run
}
