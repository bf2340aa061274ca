import { readDigits, separatorsOf } from './numbers.ts'

/** A percent as the API has it, a decimal number in a text; null where what was typed cannot be read. */
export function readPercent(typed: string): string | null {
  const digits = readDigits(typed, '')
  if ('problem' in digits || digits.negative) return null
  return `${digits.whole || '0'}${digits.fraction && `.${digits.fraction}`}`
}

/** With the decimal sign of the language. */
export function typedPercent(percent: string): string {
  return percent.replace('.', separatorsOf(undefined).decimal)
}

export function shownPercent(percent: string): string {
  return `${typedPercent(percent)} %`
}
