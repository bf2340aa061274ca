import Type from 'typebox'
import { Id } from '../core/schema/schema.ts'

export const config = { scope: 'webhooks', rightToWrite: 'administer' } as const
export const tags = ['Webhooks']
export const params = Type.Object({ webhookID: Id('The webhook.') })
