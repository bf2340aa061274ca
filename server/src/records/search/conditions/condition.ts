import type { Scalar } from '../../model/object.ts'
import type { Place } from './fields.ts'

/** A condition on objects as a caller writes it: all of, one of, not, or a field compared with a value. */
export type Filter = { and: Filter[] } | { or: Filter[] } | { not: Filter } | { field: string; op: Op; value?: unknown }

export const ops = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'exists'] as const
export type Op = (typeof ops)[number]

export type Order = 'lt' | 'lte' | 'gt' | 'gte'

/** The same after it was read and checked. */
export type Condition =
  | { is: 'and' | 'or'; parts: Condition[] }
  | { is: 'not'; part: Condition }
  | { is: 'among'; place: Place; values: readonly Scalar[] }
  | { is: 'between'; place: Place; bounds: readonly { op: Order; value: Scalar }[] }
  | { is: 'contains' | 'startsWith'; place: Place; text: string }
  | { is: 'exists'; place: Place }

/** A condition on one field. */
export type Test = Exclude<Condition, { is: 'and' | 'or' | 'not' }>
