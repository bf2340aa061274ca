import type { Tone } from '../../app/parts/state-badge.tsx'
import type { CarrierInvoice, Decision, KeptDecision } from './invoice.ts'

type State = CarrierInvoice['state']

export const stateWords: Record<State, string> = {
  received: 'Received',
  matched: 'Matched',
  exception: 'Exception',
  approved: 'Accepted',
  rejected: 'Rejected',
  billed: 'Billed',
}

const tones: Record<State, Tone> = {
  received: 'open',
  matched: 'moving',
  exception: 'attention',
  approved: 'moving',
  rejected: 'stopped',
  billed: 'done',
}

type Badged = Pick<CarrierInvoice, 'state' | 'is_disputed' | 'total_amount' | 'approved_amount'>

export function badgeOf(invoice: Badged): { words: string; tone: Tone } {
  const { state, is_disputed } = invoice
  if (is_disputed) return { words: 'Disputed', tone: 'attention' }
  return {
    words: state === 'approved' && isShort(invoice) ? 'Accepted in part' : stateWords[state],
    tone: tones[state],
  }
}

type Amounts = Pick<CarrierInvoice, 'total_amount' | 'approved_amount'>

/** Less than its total is paid. */
export function isShort({ total_amount, approved_amount }: Amounts): boolean {
  return approved_amount !== null && approved_amount !== total_amount
}

/** What is paid of an invoice, and its total where that is another amount. */
export function amountsOf(
  invoice: Amounts & Pick<CarrierInvoice, 'currency_id'>,
  money: (amount: number, currency: string) => string,
): string {
  const { total_amount, approved_amount, currency_id } = invoice
  const total = money(total_amount, currency_id)
  return isShort(invoice) ? `${money(approved_amount as number, currency_id)} of ${total}` : total
}

export const sourceWords: Record<CarrierInvoice['source'], string> = {
  api: 'Console or API',
  upload: 'Upload',
  portal: 'Partner portal',
  email: 'E-mail',
  edi: 'EDI',
}

/** Content and match change until it is decided what is paid. */
export function isOpen({ state }: Pick<CarrierInvoice, 'state'>): boolean {
  return state === 'received' || state === 'matched' || state === 'exception'
}

/** What can be decided about an invoice, what is done most often first. */
export function decisionsFor({ state, audited_at }: Pick<CarrierInvoice, 'state' | 'audited_at'>): Decision[] {
  if (state === 'exception') return ['accept', 'short_pay', 'dispute', 'reject']
  if (state === 'approved' || (state === 'matched' && audited_at !== null)) return ['approve', 'reject']
  return state === 'received' || state === 'matched' ? ['reject'] : []
}

export const decisionWords: Record<KeptDecision, { label: string; done: string; lead: string }> = {
  approve: {
    label: 'Approve',
    done: 'Approved',
    lead: 'Its bill is made and saved. From there the bill is approved and paid as every other.',
  },
  accept: {
    label: 'Accept',
    done: 'Accepted',
    lead: 'It will be paid as it is, whatever was found. Approve it next: that makes its bill.',
  },
  short_pay: {
    label: 'Pay short',
    done: 'Paid short',
    lead: 'Less than its total will be paid; the bill shows what was deducted. Approve it next: that makes its bill.',
  },
  dispute: {
    label: 'Dispute',
    done: 'Disputed',
    lead: 'It stays an exception, marked as disputed, until it is decided about.',
  },
  reject: { label: 'Reject', done: 'Rejected', lead: 'Nothing of it will be paid.' },
  void: { label: 'Void', done: 'Bill voided', lead: 'It can be decided about again.' },
}

/** Says in words what an audit found. */
export function findingsInWords({ length }: readonly unknown[]): string {
  if (length === 0) return 'nothing was found'
  return length === 1 ? 'one finding' : `${length} findings`
}

/** That something else has the number of the invoice, so that it may be paid twice. */
export function duplicatesIn({ findings }: Pick<CarrierInvoice, 'findings'>): string[] {
  return findings.filter(({ code }) => code === 'duplicate').map(({ message }) => message)
}

/** What the findings say is too much. */
export function overchargeIn({ findings }: Pick<CarrierInvoice, 'findings'>): number {
  const sum = findings.reduce(
    (sum, { code, difference_amount: more }) => sum + (code === 'wrong_total' ? (more ?? 0) : Math.max(0, more ?? 0)),
    0,
  )
  return Math.max(0, sum)
}
