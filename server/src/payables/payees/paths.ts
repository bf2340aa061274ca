import Type from 'typebox'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'

export const config = { scope: 'bills' } as const
export const tags = ['Payees']
export const all = '/payees'
export const one = `${all}/:payeeID`
export const params = referenceParam('payeeID', 'payee')
export const One = Type.Object({ payee: Type.Ref('Payee') })
export const response = answers({ 200: One })
