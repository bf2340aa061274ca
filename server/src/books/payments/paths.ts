import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { directionOf } from './ledger/locks.ts'
import { scopeOf } from './payables.ts'

/** Payments out need the scope of bills, payments in that of invoices: which of them is known once the payment is. */
export const config = { scope: ['bills', 'invoices'], rightToWrite: 'pay' } as const
export const tags = ['Payments']
export const path = '/payments/:paymentID'
export const params = referenceParam('paymentID', 'payment', undefined, 'PAY-000012')
export const One = Type.Object({ payment: Type.Ref('Payment') })
export const response = answers({ 200: One })

type Asking = Pick<FastifyRequest, 'ctx' | 'token'> & { params: { paymentID: string } }

export function paymentIn({ params }: Pick<Asking, 'params'>): Reference {
  return referenceIn(params.paymentID, 'paymentID', 'PAY')
}

/** The payment that the path names, where the token has the scope for its direction. */
export async function requireAllowedPayment(request: Asking): Promise<Reference> {
  const reference = paymentIn(request)
  requireScope(request, scopeOf[await directionOf(request.ctx, reference)])
  return reference
}
