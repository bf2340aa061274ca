import type { Kind } from '../books/documents/model/kind/kind.ts'
import { kindScopes } from '../platform/access/kind-scopes.ts'
import type { Scope } from '../platform/access/scopes.ts'
import type { Context } from '../platform/context.ts'
import { snakeCase } from '../platform/core/values/text.ts'
import type { Need, Needs } from '../platform/events/feed/readable.ts'
import { documentScopes } from '../platform/files/record-types.ts'
import { mailScopes } from '../platform/mail/model.ts'
import { listDefinitions } from '../records/definitions/read.ts'
import { builtInKinds } from '../records/kinds/built-in.ts'

/** What can happen to the records of a noun, and what it takes to read them. `schema` is the name of their schema in the OpenAPI document; null where they have none. */
export type EventNoun = { noun: string; schema: string | null; verbs: readonly string[]; needs: Need }

const changed = ['created', 'updated', 'deleted'] as const
const ofObjects = [...changed, 'restored'] as const
const ofDocuments = [...changed, 'status_updated', 'saved', 'unsaved', 'sent', 'edited', 'paid', 'reopened'] as const
const ofVoidable = [...ofDocuments, 'voided', 'repriced'] as const

const ofApprovals = ['approval_requested', 'approval_given', 'approved', 'rejected', 'approval_reminder'] as const

/** What happens to records of these kinds besides. */
const made: Record<string, readonly string[]> = {
  manifest: ['billed', 'delayed'],
  order: ['invoiced'],
  invoice: ['written_off'],
}

const of = (...scopes: Scope[]): Need => ({ scopes })
const ofAdmins = (...scopes: Scope[]): Need => ({ scopes, administers: true })
const byDirection: Need = { scopes: [], byDirection: true }

/** The scopes of everything that can be imported and exported. */
export function transferScopes(kinds: readonly Kind[]): Scope[] {
  return [...new Set([...kinds.flatMap(({ scope }) => scope), ...kindScopes])]
}

/** What it takes to read the events of each noun: what it takes to read their records. */
export function eventNeeds(kinds: readonly Kind[]): Needs {
  return { nouns: new Map(eventNouns(kinds).map(({ noun, needs }) => [noun, needs])), madeKinds: of('services') }
}

/** Every type of event that there is, by what it happens to. Kinds of objects that an organization made have events of their own besides. */
export function eventNouns(kinds: readonly Kind[]): EventNoun[] {
  return [
    ...kinds.map(({ noun, schemas, approving, access, scope }) => ({
      noun,
      schema: (schemas.Document as { $id?: string }).$id ?? null,
      verbs: [...ofVoidable, ...(approving ? ofApprovals : []), ...(made[noun] ?? [])],
      needs: access ? byDirection : of(...[scope].flat()),
    })),
    {
      noun: 'consolidated_bill',
      needs: of('consolidated_bills'),
      schema: 'ConsolidatedBill',
      verbs: [...ofDocuments, 'voided'],
    },
    {
      noun: 'payment',
      needs: byDirection,
      schema: 'Payment',
      verbs: [...changed, 'issued', 'cleared', 'voided', 'allocated', 'repriced', 'refunded'],
    },
    {
      noun: 'carrier_invoice',
      needs: of('bills'),
      schema: 'CarrierInvoice',
      verbs: [
        ...changed,
        'matched',
        'audited',
        'accepted',
        'short_paid',
        'disputed',
        'rejected',
        'billed',
        'reopened',
        'corrected',
      ],
    },
    { noun: 'edi_interchange', needs: of('bills'), schema: 'EdiInterchange', verbs: ['created'] },
    { noun: 'audit_policy', needs: of('bills'), schema: 'AuditPolicy', verbs: changed },
    { noun: 'audit_run', needs: of('bills'), schema: 'AuditRun', verbs: ['created', 'done', 'failed'] },
    {
      noun: 'payee',
      needs: of('bills'),
      schema: 'Payee',
      verbs: [...changed, 'change_requested', 'change_approved', 'change_rejected', 'revealed'],
    },
    { noun: 'paying_account', needs: of('bills'), schema: 'PayingAccount', verbs: changed },
    {
      noun: 'payment_run',
      needs: of('bills'),
      schema: 'PaymentRun',
      verbs: [...changed, 'approved', 'issued', 'payment_returned', 'advised'],
    },
    {
      noun: 'connector_org',
      needs: of('connectors_orgs'),
      schema: 'ConnectorOrg',
      verbs: [...changed, 'mapped', 'connected', 'sign_in_needed', 'disconnected'],
    },
    {
      noun: 'connector_sync',
      needs: of('connectors_orgs'),
      schema: 'ConnectorSync',
      verbs: ['created', 'done', 'failed', 'cancelled'],
    },
    {
      noun: 'emanifest',
      needs: of('emanifests'),
      schema: 'Emanifest',
      verbs: [
        ...[
          'created',
          'updated',
          'validated',
          'submitted',
          'sent',
          'filing_failed',
          'acknowledged',
          'accepted',
          'rejected',
          'amended',
          'cancelled',
        ],
        'status_updated',
      ],
    },
    // It happens to the manifest, of which there may be no e-manifest.
    { noun: 'emanifest', needs: of('emanifests'), schema: 'ManifestObject', verbs: ['crossed_without_acceptance'] },
    {
      noun: 'tender',
      needs: of('partner_portal'),
      schema: 'Tender',
      verbs: ['created', 'accepted', 'declined', 'countered', 'cancelled', 'expired'],
    },
    { noun: 'portal_link', needs: of('partner_portal'), schema: 'PortalLink', verbs: ['created', 'revoked'] },
    {
      noun: 'bill_question',
      needs: of('partner_portal'),
      schema: 'BillQuestion',
      verbs: ['created', 'asked', 'answered', 'closed'],
    },
    { noun: 'bill_item_type', needs: of('bill_item_types'), schema: 'BillItemType', verbs: changed },
    { noun: 'pay_term', needs: of('bills'), schema: 'PayTerm', verbs: changed },
    {
      noun: 'accounting_period',
      needs: of(),
      schema: 'AccountingPeriod',
      verbs: ['created', 'closed', 'reopened', 'deleted'],
    },
    { noun: 'document', needs: of(...documentScopes), schema: 'Document', verbs: changed },
    { noun: 'document_rule', needs: of('bills'), schema: 'DocumentRule', verbs: changed },
    { noun: 'tax_rate', needs: of('bills'), schema: 'TaxRate', verbs: changed },
    { noun: 'exchange_rate', needs: of('exchange_rates'), schema: 'ExchangeRate', verbs: changed },
    ...builtInKinds.map(({ objectKey, name, scope }) => ({
      noun: objectKey,
      needs: of(scope),
      schema: `${name}Object`,
      verbs: [...ofObjects, ...(made[objectKey] ?? [])],
    })),
    { noun: 'approval_rule', needs: of('bills'), schema: 'ApprovalRule', verbs: changed },
    { noun: 'approval_delegation', needs: of('bills'), schema: 'ApprovalDelegation', verbs: ['created', 'deleted'] },
    { noun: 'board', needs: of(...kindScopes), schema: 'Board', verbs: changed },
    { noun: 'definition', needs: of('services'), schema: 'Definition', verbs: changed },
    {
      noun: 'transfer',
      needs: of(...transferScopes(kinds)),
      schema: 'Transfer',
      verbs: ['created', 'done', 'failed', 'cancelled'],
    },
    {
      noun: 'user',
      needs: ofAdmins('users'),
      schema: 'User',
      verbs: ['created', 'updated', 'invited', 'joined', 'disabled', 'enabled'],
    },
    {
      noun: 'oauth_application',
      needs: ofAdmins('users'),
      schema: 'OAuthApplication',
      verbs: [...changed, 'secret_rotated', 'disabled', 'enabled'],
    },
    { noun: 'organization', needs: of(), schema: 'Organization', verbs: ['created', 'updated', 'logo_changed'] },
    {
      noun: 'mail',
      needs: ofAdmins(...mailScopes),
      schema: 'Mail',
      verbs: ['created', 'sent', 'kept', 'deferred', 'failed', 'resent', 'bounced'],
    },
    {
      noun: 'webhook',
      needs: ofAdmins('webhooks'),
      schema: 'WebhookRecord',
      verbs: [...changed, 'secret_rotated', 'disabled', 'redelivered', 'replayed', 'test'],
    },
  ]
}

/** The same for one organization: with the kinds of objects that it made. */
export const nounsWithOwn =
  (kinds: readonly Kind[]) =>
  async (ctx: Context): Promise<EventNoun[]> => {
    const own = (await listDefinitions(ctx)).filter(({ builtIn }) => !builtIn)
    return [
      ...eventNouns(kinds),
      ...own.map(({ objectKey }) => ({
        noun: snakeCase(objectKey),
        needs: of('services'),
        schema: null,
        verbs: ofObjects,
      })),
    ]
  }
