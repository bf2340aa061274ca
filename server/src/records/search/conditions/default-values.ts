import { fold } from '../../index/text.ts'
import type { Scalar } from '../../model/object.ts'
import type { Condition, Order } from './condition.ts'

/**
 * A condition on a field that has a default value. Default values are not indexed, so objects without an entry have it. They are nearly all objects, so
 * the condition is written as the opposite of what holds for those that have an entry.
 */
export function withDefault(condition: Condition, defaultValue: Scalar): Condition {
  if ('parts' in condition) throw new Error('a field with a default value is compared by itself')
  if (condition.is === 'not') return { is: 'not', part: withDefault(condition.part, defaultValue) }
  if (condition.is === 'exists') return everyObject
  if (!isMet(condition, defaultValue)) return condition
  const hasEntry: Condition = { is: 'exists', place: condition.place }
  const onlyDefault = condition.is === 'among' && condition.values.every((value) => value === defaultValue)
  return { is: 'not', part: onlyDefault ? hasEntry : { is: 'and', parts: [hasEntry, { is: 'not', part: condition }] } }
}

const everyObject: Condition = { is: 'exists', place: { in: 'column', column: 'id', type: 'reference' } }

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

const comparisons: Record<Order, (a: Scalar, b: Scalar) => boolean> = {
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
}
