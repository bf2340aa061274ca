import { fold } from '../index/entries.ts'
import type { Scalar } from '../model/other-fields.ts'
import type { Condition } from './filter.ts'

/**
 * The same where objects that were not told say something of their own: it is not kept, and they are those that have nothing. Said as what does not
 * hold of those that were told, who are few.
 */
export function unlessSaid(condition: Condition, otherwise: Scalar): Condition {
  if ('parts' in condition) throw new Error('what goes without saying is compared by itself')
  if (condition.is === 'not') return { is: 'not', part: unlessSaid(condition.part, otherwise) }
  if (condition.is === 'exists') return everyone
  if (!isMet(condition, otherwise)) return condition
  const told: Condition = { is: 'exists', place: condition.place }
  const isAll = condition.is === 'among' && condition.values.every((value) => value === otherwise)
  return { is: 'not', part: isAll ? told : { is: 'and', parts: [told, { is: 'not', part: condition }] } }
}

const everyone: Condition = { is: 'exists', place: { in: 'column', column: 'id', type: 'reference' } }

function isMet(condition: Exclude<Condition, { is: 'and' | 'or' | 'not' | 'exists' }>, value: Scalar): boolean {
  switch (condition.is) {
    case 'among':
      return condition.values.includes(value)
    case 'between':
      return condition.bounds.every(({ op, value: bound }) => comparisons[op](value, bound))
    case 'startsWith':
      return String(value).startsWith(condition.text)
    case 'contains':
      return fold(String(value)).includes(fold(condition.text))
  }
}

const comparisons: Record<'lt' | 'lte' | 'gt' | 'gte', (a: Scalar, b: Scalar) => boolean> = {
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
}
