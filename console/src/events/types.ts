const moves = ['created', 'updated', 'deleted', 'status_updated', 'saved', 'unsaved', 'sent', 'edited', 'paid', 'reopened']
const simple = ['created', 'updated', 'deleted']

/** What can happen to records that are no objects. */
const verbs: Record<string, readonly string[]> = {
  bill: moves,
  consolidated_bill: moves,
  bill_item_type: simple,
  pay_term: simple,
  user: ['created', 'updated', 'invited', 'joined', 'disabled', 'enabled'],
  oauth_application: [...simple, 'secret_rotated', 'disabled', 'enabled'],
  webhook: [...simple, 'secret_rotated', 'disabled', 'redelivered', 'replayed', 'test'],
  transfer: ['created', 'done', 'failed', 'cancelled'],
  definition: simple,
  board: simple,
  organization: ['created'],
}

/** All of a kind of record, then each. */
export const typesOfRecords: readonly string[] = Object.entries(verbs).flatMap(([noun, known]) => withAll(noun, known))

export function typesOfObjects(objectKey: string): string[] {
  return withAll(nounOf(objectKey), [...simple, 'restored', ...(objectKey === 'manifest' ? ['billed'] : [])])
}

function withAll(noun: string, known: readonly string[]): string[] {
  return [`${noun}.*`, ...known.map((verb) => `${noun}.${verb}`)]
}

/** The kind of an object in the names of its events: `partnerCarrier` is `partner_carrier`. */
export function nounOf(objectKey: string): string {
  return objectKey.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
