import type { Context } from '../../platform/context.ts'
import { type Comparison, judge } from '../carrier-invoices/received/compare.ts'
import { overchargeIn } from '../carrier-invoices/received/model.ts'
import { check, policyFor, type Replay, type Rule, strict } from './model.ts'
import { listAll, listPast, type PastInvoice } from './store.ts'

type Share = { invoices: number; amounts: Map<string, number> }
type Effect = Record<'paid' | 'held' | 'caught', Share>

/** So many invoices are read at a time. */
const lot = 2000

/** What another policy would have done to the invoices of the last days, by the comparisons that their audits kept. It changes nothing. */
export async function replay(ctx: Context, { days, policy }: Replay): Promise<object> {
  const tried = check({ ...strict, ...policy })
  const rules = await listAll(ctx)
  const others = rules.filter(
    (rule) =>
      rule.partner_carrier_id !== tried.partner_carrier_id || rule.bill_item_type_id !== tried.bill_item_type_id,
  )
  const effects = [
    { rules, effect: emptyEffect() },
    { rules: [...others, tried], effect: emptyEffect() },
  ] as const
  let invoices = 0
  for (let after: string | null = null, more = true; more; ) {
    const past: Awaited<ReturnType<typeof listPast>> = await listPast(ctx, days, after, lot)
    for (const invoice of past) for (const one of effects) add(one.effect, invoice, one.rules)
    invoices += past.length
    after = past.at(-1)?.id ?? null
    more = past.length === lot
  }
  return { invoices, now: shown(effects[0].effect), tried: shown(effects[1].effect) }
}

function add(
  effect: Effect,
  { partner_carrier_id, currency_id, total_amount, comparison }: PastInvoice,
  rules: readonly Rule[],
): void {
  const compared = comparison as Comparison[]
  const findings = judge(compared, (type) => policyFor(rules, partner_carrier_id, type))
  const overcharge = overchargeIn(findings, compared)
  if (findings.length > 0) count(effect.held, currency_id, total_amount)
  else if (policyFor(rules, partner_carrier_id, null).approve_automatically)
    count(effect.paid, currency_id, total_amount)
  if (overcharge > 0) count(effect.caught, currency_id, overcharge)
}

function count(share: Share, currency: string, amount: number): void {
  share.invoices += 1
  share.amounts.set(currency, (share.amounts.get(currency) ?? 0) + amount)
}

function emptyEffect(): Effect {
  const empty = (): Share => ({ invoices: 0, amounts: new Map() })
  return { paid: empty(), held: empty(), caught: empty() }
}

function shown(effect: Effect): object {
  return Object.fromEntries(
    Object.entries(effect).map(([name, { invoices, amounts }]) => [
      name,
      { invoices, amounts: [...amounts].sort().map(([currency_id, amount]) => ({ currency_id, amount })) },
    ]),
  )
}
