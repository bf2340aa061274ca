import { readDigits, separatorsOf } from '../../app/values/numbers.ts'

/** The most decimals that the API takes. */
const most = 10

/** A typed rate as the API has it: a decimal text, so that nothing is rounded. */
export function readRate(text: string, locale?: string): { rate: string } | { problem: string } {
  const like = `Enter a rate like ${typedRateOf('1.0842', locale)}.`
  const digits = readDigits(text, like, locale)
  if ('problem' in digits) return digits
  const { negative, whole, fraction } = digits
  if (fraction.length > most) return { problem: `A rate has at most ${most} decimals.` }
  if (negative || !/[1-9]/.test(whole + fraction)) return { problem: 'A rate is above 0.' }
  return { rate: `${whole || '0'}${fraction && `.${fraction}`}` }
}

/** With the decimal sign of the person's language. */
export function typedRateOf(rate: string, locale?: string): string {
  return rate.replace('.', separatorsOf(locale).decimal)
}
