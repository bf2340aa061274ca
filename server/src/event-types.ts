import type { Kind } from './billing/documents/model/kind.ts'
import { builtInKinds } from './objects/kinds/built-in.ts'

/** What can happen to the records of a noun. `schema` is the name of their schema in the OpenAPI document; null where they have none. */
export type EventNoun = { noun: string; schema: string | null; verbs: readonly string[] }

const changed = ['created', 'updated', 'deleted'] as const
const ofDocuments = [...changed, 'status_updated', 'saved', 'unsaved', 'sent', 'edited', 'paid', 'reopened'] as const
const ofVoidable = [...ofDocuments, 'voided', 'repriced'] as const

/** What was made from objects of these kinds. */
const made: Record<string, readonly string[]> = { manifest: ['billed'], order: ['invoiced'] }

/** Every type of event that there is, by what it happens to. Kinds of objects that an organization made have events of their own besides. */
export function eventNouns(kinds: readonly Kind[]): EventNoun[] {
  return [
    ...kinds.map(({ noun, schemas }) => ({ noun, schema: (schemas.Document as { $id?: string }).$id ?? null, verbs: ofVoidable })),
    { noun: 'consolidated_bill', schema: 'ConsolidatedBill', verbs: [...ofDocuments, 'voided'] },
    { noun: 'payment', schema: 'Payment', verbs: [...changed, 'issued', 'cleared', 'voided', 'allocated'] },
    { noun: 'bill_item_type', schema: 'BillItemType', verbs: changed },
    { noun: 'pay_term', schema: 'PayTerm', verbs: changed },
    { noun: 'accounting_period', schema: 'AccountingPeriod', verbs: ['created', 'closed', 'reopened', 'deleted'] },
    { noun: 'tax_rate', schema: 'TaxRate', verbs: changed },
    { noun: 'exchange_rate', schema: 'ExchangeRate', verbs: changed },
    ...builtInKinds.map(({ objectKey, name }) => ({
      noun: objectKey,
      schema: `${name}Object`,
      verbs: [...changed, 'restored', ...(made[objectKey] ?? [])],
    })),
    { noun: 'board', schema: 'Board', verbs: changed },
    { noun: 'definition', schema: 'Definition', verbs: changed },
    { noun: 'transfer', schema: 'Transfer', verbs: ['created', 'done', 'failed', 'cancelled'] },
    { noun: 'user', schema: 'User', verbs: ['created', 'updated', 'invited', 'joined', 'disabled', 'enabled'] },
    { noun: 'oauth_application', schema: 'OAuthApplication', verbs: [...changed, 'secret_rotated', 'disabled', 'enabled'] },
    { noun: 'organization', schema: 'Organization', verbs: ['created', 'updated'] },
    { noun: 'webhook', schema: 'WebhookRecord', verbs: [...changed, 'secret_rotated', 'disabled', 'redelivered', 'replayed', 'test'] },
  ]
}
