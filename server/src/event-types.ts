import type { Kind } from './billing/documents/model/kind.ts'
import { builtInKinds } from './objects/kinds/built-in.ts'

/** What can happen to the records of a noun. `schema` is the name of their schema in the OpenAPI document; null where they have none. */
export type EventNoun = { noun: string; schema: string | null; verbs: readonly string[] }

const changed = ['created', 'updated', 'deleted'] as const
const ofDocuments = [...changed, 'status_updated', 'saved', 'unsaved', 'sent', 'edited', 'paid', 'reopened'] as const
const ofVoidable = [...ofDocuments, 'voided', 'repriced'] as const

const ofApprovals = ['approval_requested', 'approval_given', 'approved', 'rejected', 'approval_reminder'] as const

/** What happens to records of these kinds besides. */
const made: Record<string, readonly string[]> = { manifest: ['billed', 'delayed'], order: ['invoiced'], invoice: ['written_off'] }

/** Every type of event that there is, by what it happens to. Kinds of objects that an organization made have events of their own besides. */
export function eventNouns(kinds: readonly Kind[]): EventNoun[] {
  return [
    ...kinds.map(({ noun, schemas, approving }) => ({
      noun,
      schema: (schemas.Document as { $id?: string }).$id ?? null,
      verbs: [...ofVoidable, ...(approving ? ofApprovals : []), ...(made[noun] ?? [])],
    })),
    { noun: 'consolidated_bill', schema: 'ConsolidatedBill', verbs: [...ofDocuments, 'voided'] },
    { noun: 'payment', schema: 'Payment', verbs: [...changed, 'issued', 'cleared', 'voided', 'allocated', 'repriced', 'refunded'] },
    {
      noun: 'carrier_invoice',
      schema: 'CarrierInvoice',
      verbs: [...changed, 'matched', 'audited', 'accepted', 'short_paid', 'disputed', 'rejected', 'billed', 'reopened', 'corrected'],
    },
    { noun: 'edi_interchange', schema: 'EdiInterchange', verbs: ['created'] },
    { noun: 'audit_policy', schema: 'AuditPolicy', verbs: changed },
    { noun: 'audit_run', schema: 'AuditRun', verbs: ['created', 'done', 'failed'] },
    { noun: 'payee', schema: 'Payee', verbs: [...changed, 'change_requested', 'change_approved', 'change_rejected', 'revealed'] },
    { noun: 'paying_account', schema: 'PayingAccount', verbs: changed },
    { noun: 'payment_run', schema: 'PaymentRun', verbs: [...changed, 'approved', 'issued', 'payment_returned', 'advised'] },
    {
      noun: 'connector_org',
      schema: 'ConnectorOrg',
      verbs: [...changed, 'mapped', 'connected', 'sign_in_needed', 'disconnected'],
    },
    { noun: 'connector_sync', schema: 'ConnectorSync', verbs: ['created', 'done', 'failed', 'cancelled'] },
    {
      noun: 'emanifest',
      schema: 'Emanifest',
      verbs: [
        ...['created', 'updated', 'validated', 'submitted', 'sent', 'filing_failed', 'acknowledged', 'accepted', 'rejected', 'amended', 'cancelled'],
        'status_updated',
      ],
    },
    // It happens to the manifest, of which there may be no e-manifest.
    { noun: 'emanifest', schema: 'ManifestObject', verbs: ['crossed_without_acceptance'] },
    { noun: 'tender', schema: 'Tender', verbs: ['created', 'accepted', 'declined', 'countered', 'cancelled', 'expired'] },
    { noun: 'portal_link', schema: 'PortalLink', verbs: ['created', 'revoked'] },
    { noun: 'bill_question', schema: 'BillQuestion', verbs: ['created', 'asked', 'answered', 'closed'] },
    { noun: 'bill_item_type', schema: 'BillItemType', verbs: changed },
    { noun: 'pay_term', schema: 'PayTerm', verbs: changed },
    { noun: 'accounting_period', schema: 'AccountingPeriod', verbs: ['created', 'closed', 'reopened', 'deleted'] },
    { noun: 'document', schema: 'Document', verbs: changed },
    { noun: 'document_rule', schema: 'DocumentRule', verbs: changed },
    { noun: 'tax_rate', schema: 'TaxRate', verbs: changed },
    { noun: 'exchange_rate', schema: 'ExchangeRate', verbs: changed },
    ...builtInKinds.map(({ objectKey, name }) => ({
      noun: objectKey,
      schema: `${name}Object`,
      verbs: [...changed, 'restored', ...(made[objectKey] ?? [])],
    })),
    { noun: 'approval_rule', schema: 'ApprovalRule', verbs: changed },
    { noun: 'approval_delegation', schema: 'ApprovalDelegation', verbs: ['created', 'deleted'] },
    { noun: 'board', schema: 'Board', verbs: changed },
    { noun: 'definition', schema: 'Definition', verbs: changed },
    { noun: 'transfer', schema: 'Transfer', verbs: ['created', 'done', 'failed', 'cancelled'] },
    { noun: 'user', schema: 'User', verbs: ['created', 'updated', 'invited', 'joined', 'disabled', 'enabled'] },
    { noun: 'oauth_application', schema: 'OAuthApplication', verbs: [...changed, 'secret_rotated', 'disabled', 'enabled'] },
    { noun: 'organization', schema: 'Organization', verbs: ['created', 'updated', 'logo_changed'] },
    { noun: 'mail', schema: 'Mail', verbs: ['created', 'sent', 'kept', 'deferred', 'failed', 'resent', 'bounced'] },
    { noun: 'webhook', schema: 'WebhookRecord', verbs: [...changed, 'secret_rotated', 'disabled', 'redelivered', 'replayed', 'test'] },
  ]
}
