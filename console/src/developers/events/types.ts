const moves = [
  'created',
  'updated',
  'deleted',
  'status_updated',
  'saved',
  'unsaved',
  'sent',
  'edited',
  'paid',
  'reopened',
]
const ofDocuments = [...moves, 'voided', 'repriced']
const simple = ['created', 'updated', 'deleted']

/** What can happen to records that are no objects. */
const verbs: Record<string, readonly string[]> = {
  bill: [...ofDocuments, 'approval_requested', 'approval_given', 'approved', 'rejected', 'approval_reminder'],
  invoice: [...ofDocuments, 'written_off'],
  credit: ofDocuments,
  consolidated_bill: [...moves, 'voided'],
  payment: [...simple, 'issued', 'cleared', 'voided', 'allocated', 'repriced', 'refunded'],
  edi_interchange: ['created'],
  carrier_invoice: [
    ...simple,
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
  audit_policy: simple,
  audit_run: ['created', 'done', 'failed'],
  payee: [...simple, 'change_requested', 'change_approved', 'change_rejected', 'revealed'],
  paying_account: simple,
  payment_run: [...simple, 'approved', 'issued', 'payment_returned', 'advised'],
  connector_org: [...simple, 'mapped', 'connected', 'sign_in_needed', 'disconnected'],
  connector_sync: ['created', 'done', 'failed', 'cancelled'],
  emanifest: [
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
    ...['status_updated', 'crossed_without_acceptance'],
  ],
  tender: ['created', 'accepted', 'declined', 'countered', 'cancelled', 'expired'],
  portal_link: ['created', 'revoked'],
  bill_question: ['created', 'asked', 'answered', 'closed'],
  document: simple,
  document_rule: simple,
  exchange_rate: simple,
  tax_rate: simple,
  accounting_period: ['created', 'closed', 'reopened', 'deleted'],
  approval_rule: simple,
  approval_delegation: ['created', 'deleted'],
  bill_item_type: simple,
  pay_term: simple,
  user: ['created', 'updated', 'invited', 'joined', 'disabled', 'enabled'],
  oauth_application: [...simple, 'secret_rotated', 'disabled', 'enabled'],
  webhook: [...simple, 'secret_rotated', 'disabled', 'redelivered', 'replayed', 'test'],
  transfer: ['created', 'done', 'failed', 'cancelled'],
  definition: simple,
  board: simple,
  organization: ['created', 'updated', 'logo_changed'],
  mail: ['created', 'sent', 'kept', 'deferred', 'failed', 'resent', 'bounced'],
}

/** What happens to objects of these kinds besides. */
const made: Record<string, readonly string[]> = { manifest: ['billed', 'delayed'], order: ['invoiced'] }

/** All of a kind of record, then each. */
export const typesOfRecords: readonly string[] = Object.entries(verbs).flatMap(([noun, known]) => withAll(noun, known))

export function typesOfObjects(objectKey: string): string[] {
  return withAll(nounOf(objectKey), [...simple, 'restored', ...(made[objectKey] ?? [])])
}

function withAll(noun: string, known: readonly string[]): string[] {
  return [`${noun}.*`, ...known.map((verb) => `${noun}.${verb}`)]
}

/** The kind of an object in the names of its events: `partnerCarrier` is `partner_carrier`. */
export function nounOf(objectKey: string): string {
  return objectKey.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
