/** The number of an invoice in the form in which two are compared: the same as `carrier_number` in the database. Null where nothing of it is left. */
export function carrierNumber(number: string): string | null {
  const bare = upper(number)
    .replace(/[^0-9A-Z\u00c0-\u1fff\u2c00-\uffff]+/gu, '')
    .replace(/^(?:INVOICE|INV|NUMBER|NUM|NO|NR)+(?=[0-9])/, '')
  const digits: Record<string, string> = { O: '0', I: '1', L: '1' }
  return withoutZeros(bare.replace(/[OIL]/g, (letter) => digits[letter] as string)) || null
}

export type NumberRelation = 'same' | 'typo' | 'parts' | 'next' | 'different' | 'missing'

/** How two numbers of invoices relate, as they were written. */
export function relationOf(one: string | null, other: string | null): NumberRelation {
  const [a, b] = [one === null ? null : carrierNumber(one), other === null ? null : carrierNumber(other)]
  if (a === null || b === null) return 'missing'
  if (a === b) return 'same'
  const [written, otherWritten] = [upper(one as string), upper(other as string)]
  if (areParts(written, otherWritten)) return 'parts'
  if (areNext(written, otherWritten)) return 'next'
  return isTypo(a, b) ? 'typo' : 'different'
}

/** The mark of a part or of a version behind a number: `A` of 20417A, `2` of 20417-2, `R1` of 20417-R1; none of 20417. */
export function partOf(number: string): { whole: string; part: string | null } {
  const [, whole, letter, digit] =
    /^(.*?[0-9]{3,})(?:[^0-9A-Z]*([A-Z][0-9]{0,2})|[^0-9A-Z]+([0-9]))?$/.exec(upper(number).trim()) ?? []
  return whole === undefined ? { whole: number, part: null } : { whole, part: letter ?? digit ?? null }
}

/** Parts or versions of one invoice, which carriers mark by what follows its number. */
function areParts(one: string, other: string): boolean {
  const [a, b] = [partOf(one), partOf(other)]
  return a.whole === b.whole && a.part !== b.part
}

/** Numbers that a carrier gives soon after each other. */
const soon = 30

/** Whether they differ in one run of digits, and by little. Two digits that were swapped make a larger difference than the next number does. */
function areNext(one: string, other: string): boolean {
  const [a, b] = [one.match(/[0-9]+|[^0-9]+/g) ?? [], other.match(/[0-9]+|[^0-9]+/g) ?? []]
  const places = a.length === b.length ? a.flatMap((token, index) => (token === b[index] ? [] : [index])) : []
  const [was = '', is = ''] = [a[places[0] ?? -1], b[places[0] ?? -1]]
  if (places.length !== 1 || !/^[0-9]{1,15}$/.test(was) || was.length !== is.length) return false
  const difference = Math.abs(Number(was) - Number(is))
  return difference <= soon && !(difference > 9 && isOneSwap(was, is))
}

/** Too short a number becomes another one by every slip of a key. */
const shortest = 5

/** Whether one slip makes the one from the other: a character wrong, missing or too many, two swapped, or digits that look like letters. */
function isTypo(one: string, other: string): boolean {
  if (Math.max(one.length, other.length) < shortest) return false
  return alike(one) === alike(other) || isOneSlip(one, other)
}

function alike(number: string): string {
  const digits: Record<string, string> = { S: '5', B: '8', Z: '2', G: '6', Q: '0', D: '0', T: '7' }
  return withoutZeros(number.replace(/[SBZGQDT]/g, (letter) => digits[letter] as string))
}

function isOneSlip(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  if (short.length < long.length) return short.slice(start) === long.slice(start + 1)
  return short.slice(start + 1) === long.slice(start + 1) || isOneSwap(short, long)
}

function isOneSwap(one: string, other: string): boolean {
  const places = [...one].flatMap((character, index) => (character === other[index] ? [] : [index]))
  const [first = 0, second = 0] = places
  return (
    one.length === other.length &&
    places.length === 2 &&
    second === first + 1 &&
    one[first] === other[second] &&
    one[second] === other[first]
  )
}

function upper(number: string): string {
  return number.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** Without the zeros that a run of digits begins with. */
function withoutZeros(number: string): string {
  return number.replace(/(^|[^0-9])0+(?=[0-9])/g, '$1')
}
