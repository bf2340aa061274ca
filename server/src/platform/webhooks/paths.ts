import { Id } from '../core/schema/schema.ts'
import Type from '../core/schema/type.ts'

export const config = { scope: 'webhooks', rightToWrite: 'administer' } as const
export const tags = ['Webhooks']
export const params = Type.Object({ webhookID: Id('The webhook.') })
