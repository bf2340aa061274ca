import type { Context } from '../../../platform/context.ts'
import type { Refusal } from '../../../platform/core/refusal.ts'
import { outcomeOr } from '../../../platform/core/schema/rows.ts'
import { minorUnits } from '../../currencies/known.ts'
import { type HomeCurrencyRate, one } from '../../rates/conversion.ts'
import { type DatedCurrency, homeRates } from '../../rates/lookup.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import {
  dateOf,
  type HomeAmount,
  homeAmountAt,
  homeAmountNeeds,
  homeAmountOfTotal,
  noHomeAmount,
  rateMissing,
  withHomeAmount,
} from '../model/home-amount.ts'
import type { EditResult } from '../model/kind/conclude.ts'
import type { Kind } from '../model/kind/kind.ts'
import type { Plan } from '../model/plan.ts'

/** What an update makes of a document, with its home amount where it changes. Only a rate between two currencies is looked up. */
export async function addHomeAmount<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  before: D,
  edited: EditResult<D>,
  home: string | null,
  valued?: HomeCurrencyRate,
): Promise<EditResult<D>> {
  const { next } = edited
  switch (homeAmountNeeds(kind, before, next)) {
    case 'nothing':
      return edited
    case 'none':
      return withHomeAmount(before, edited, noHomeAmount)
    case 'the new total':
      return withHomeAmount(before, edited, homeAmountOfTotal(next, before, await minorUnits(ctx)))
    case 'the rate of its date':
      if (valued) return withHomeAmount(before, edited, homeAmountOfTotal(next, valued, await minorUnits(ctx)))
      return withHomeAmount(before, edited, await homeAmountOf(ctx, kind, next, home))
  }
}

/** The home amount of a document by the rate of its date; without a rate, none, or a refusal where the organization requires one. */
export async function homeAmountOf(
  ctx: Context,
  kind: Kind,
  document: Document,
  home: string | null,
  { required = false } = {},
): Promise<HomeAmount> {
  if (home === null) return noHomeAmount
  const units = await minorUnits(ctx)
  const currency = document.currency_id as string
  if (currency === home) return homeAmountAt(document, one, home, units)
  const at = dateOf(kind.date, document)
  const found = await homeRates(ctx, [{ currency_id: currency, at }])
  const rate = found.rates[0]
  if (!rate && (required || found.required)) throw rateMissing(kind.noun, currency, home, at)
  return rate && found.home_currency_id !== null
    ? homeAmountAt(document, rate, found.home_currency_id, units)
    : noHomeAmount
}

/** The same for many plans, with one question for all rates. What a plan cannot be is its refusal. */
export async function addHomeAmounts<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  plans: readonly Plan<D>[],
): Promise<(Plan<D> | Refusal)[]> {
  const amountOf = await homeAmountsOf(ctx, kind, plans)
  return plans.map((plan) =>
    outcomeOr(() => {
      let before = plan.document
      const steps = plan.steps.map((step) => {
        // Steps were planned one from the other, without the home amounts of those before.
        const next = { ...step.next, ...homeOf(before) }
        const edited = withHomeAmount(before, { ...step, next }, homeOf(amountOf(before, next)))
        before = edited.next
        return edited
      })
      return { ...plan, steps }
    }),
  )
}

/** What tells the home amount after a change, of all that the plans change. */
async function homeAmountsOf<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  plans: readonly Plan<D>[],
): Promise<(before: D, next: D) => HomeAmount> {
  const stepsOf = ({ document, steps }: Plan<D>) =>
    steps.map(({ next }, index) => ({ before: steps[index - 1]?.next ?? document, next }))
  const wanted = plans
    .flatMap(stepsOf)
    .filter(({ before, next }) => homeAmountNeeds(kind, before, next) === 'the rate of its date')
  const dated = wanted.map(({ next }) => datedOf(kind, next))
  const {
    home_currency_id: home,
    required,
    rates,
  } = dated.length > 0 ? await homeRates(ctx, dated) : { home_currency_id: null, required: false, rates: [] }
  const rateOf = new Map(dated.map((one, index) => [JSON.stringify(one), rates[index] ?? null]))
  const units = await minorUnits(ctx)
  return (before, next) => {
    switch (homeAmountNeeds(kind, before, next)) {
      case 'nothing':
        return before
      case 'none':
        return noHomeAmount
      case 'the new total':
        return homeAmountOfTotal(next, before, units)
      case 'the rate of its date': {
        const asked = datedOf(kind, next)
        const rate = rateOf.get(JSON.stringify(asked)) ?? null
        if (rate === null && required) throw rateMissing(kind.noun, asked.currency_id, home as string, asked.at)
        return rate === null || home === null ? noHomeAmount : homeAmountAt(next, rate, home, units)
      }
    }
  }
}

function datedOf({ date }: Pick<Kind, 'date'>, document: Document): DatedCurrency {
  return { currency_id: document.currency_id as string, at: dateOf(date, document) }
}

function homeOf({ exchange_rate, home_currency_id, home_total_amount }: HomeAmount): HomeAmount {
  return { exchange_rate, home_currency_id, home_total_amount }
}
