import { createHash } from 'node:crypto'
import { decimalText } from '../../../../platform/core/tables/decimals.ts'
import type { OutgoingPayment, PaymentsAdapter } from '../../adapters/adapter.ts'
import type { ConnectorSettings } from '../../catalogue.ts'
import type { Gap } from './documents.ts'
import type { RawPart, RawPayment } from './payments-store.ts'
import type { Result } from './store.ts'

/** What is one payment there: `payment` is null where it must not be there any more. */
export type Unit = { id: string; payment: OutgoingPayment | null }

export type PlannedPayments = {
  units: Unit[]
  gaps: Gap[]
  /** Why nothing of it can be sent now. */
  blocked: Pick<Result, 'reason' | 'error'> | null
  /** What is said of a part that stays here. */
  rest: string | null
}

type Of = { adapter: PaymentsAdapter; settings: ConnectorSettings; decimals: ReadonlyMap<string, number> }

/** What becomes of a payment there, and what is missing for that. */
export function planPayment({ adapter, settings, decimals: all }: Of, raw: RawPayment): PlannedPayments {
  const decimals = all.get(raw.currency_id) ?? 2
  const standing = raw.counts ? raw.parts.filter(({ is_standing }) => is_standing) : []
  const settled = sumOf(standing)
  const keepsRest = adapter.keepsRest(raw.direction)
  const payment = (id: string, amount: number, parts: readonly RawPart[]): OutgoingPayment => ({
    ...{
      id,
      payment_id: raw.id,
      direction: raw.direction,
      number: raw.number,
      reference_number: raw.reference_number,
      date: raw.date,
    },
    ...{
      currency: raw.currency_id.toUpperCase(),
      decimals,
      party: raw.party?.remote_id ?? null,
      account: accountOf(settings, raw) ?? '',
      amount,
    },
    parts: [...Map.groupBy(parts, ({ remote_id }) => remote_id ?? '')].map(([remote_id, same]) => ({
      ...{ type: same[0]?.type ?? 'bill', remote_id, amount: sumOf(same) },
    })),
  })
  const units = adapter.isPerDocument
    ? raw.parts.map((part) => ({
        id: part.id,
        payment: standing.includes(part) ? payment(part.id, part.amount, [part]) : null,
      }))
    : [
        {
          id: raw.id,
          payment: standing.length > 0 ? payment(raw.id, keepsRest ? raw.amount : settled, standing) : null,
        },
      ]
  const left = raw.amount - settled
  return {
    units,
    gaps: standing.length > 0 ? gapsOf(settings, raw) : [],
    blocked: blockedBy(raw, standing),
    rest:
      standing.length > 0 && left > 0 && !keepsRest
        ? `${decimalText(left, decimals)} ${raw.currency_id.toUpperCase()} of it settle nothing yet, and were not sent: they are once they settle something.`
        : null,
  }
}

/** By this a payment that has not changed is known. One that could only be made anew there is not for its reference or its account. */
export function hashOfPayment({ isPerDocument }: PaymentsAdapter, payment: OutgoingPayment): string {
  const { date, amount, parts } = payment
  return createHash('sha256')
    .update(JSON.stringify(isPerDocument ? { date, amount, parts } : payment))
    .digest('base64url')
}

/** In which directions payments are sent: those for which an account is known. Without one they were never asked for. */
export function directionsOf(settings: ConnectorSettings, hasMapped: boolean): ('out' | 'in')[] {
  return [
    ...(settings.payment_account !== undefined || hasMapped ? (['out'] as const) : []),
    ...(settings.deposit_account !== undefined ? (['in'] as const) : []),
  ]
}

function accountOf(
  { payment_account, deposit_account }: ConnectorSettings,
  { direction, paying_account }: RawPayment,
): string | undefined {
  return direction === 'out' ? (paying_account?.remote_id ?? payment_account) : deposit_account
}

function gapsOf(settings: ConnectorSettings, raw: RawPayment): Gap[] {
  const { direction, party, paying_account } = raw
  const isOut = direction === 'out'
  const who = isOut ? 'carrier' : 'customer'
  const setting = isOut ? 'payment_account' : 'deposit_account'
  const account: Gap =
    isOut && paying_account
      ? {
          ...{ kind: 'paying_accounts', record_id: paying_account.id, name: paying_account.name, needed: true },
          message: `Map the paying account ${paying_account.name} (${raw.currency_id.toUpperCase()}) to a bank account, or set "payment_account": payments of bills need it.`,
        }
      : {
          ...{ kind: 'settings', record_id: null, name: setting, needed: true },
          message: `Set "${setting}": payments ${isOut ? 'of bills' : 'of customers'} need it.`,
        }
  return [
    ...(party && party.remote_id === null
      ? [
          {
            ...{
              kind: isOut ? ('partner_carriers' as const) : ('customers' as const),
              record_id: party.id,
              name: party.name ?? party.id,
              needed: true,
            },
            message: `Map the ${who} ${party.name ?? party.id} to a ${isOut ? 'vendor' : 'customer'}.`,
          },
        ]
      : []),
    ...(accountOf(settings, raw) === undefined ? [account] : []),
  ]
}

function blockedBy({ amount }: RawPayment, standing: readonly RawPart[]): PlannedPayments['blocked'] {
  if (standing.length === 0) return null
  if (amount <= 0 || standing.some((part) => part.amount <= 0)) {
    const error = 'It settles amounts of less than nothing, which no payment there can: enter it there by hand.'
    return { reason: 'not_possible_there', error }
  }
  const missing = [...new Set(standing.filter(({ remote_id }) => remote_id === null).map((part) => part.number))]
  if (missing.length === 0) return null
  const error = `It waits for ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ' and others' : ''}, which ${missing.length === 1 ? 'is' : 'are'} not there yet.`
  return { reason: 'waits_for_document', error }
}

function sumOf(parts: readonly { amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
