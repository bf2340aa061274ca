import Type from 'typebox'
import { Moment } from '../../platform/core/schema/schema.ts'
import { asOfIn } from '../../platform/core/values/as-of.ts'
import type { Span } from './documents-sql.ts'

export const asOf = Type.Optional(
  Moment(
    'The figures as they stood then, by what was recorded up to that moment; now unless said. A bare date means the end of that day in the time zone of the organization.',
    '2026-10-31',
  ),
)
export const currencies = Type.Optional(
  Type.Array(Type.String({ maxLength: 3 }), {
    maxItems: 200,
    description: 'Keeps these currencies.',
    examples: [['usd']],
  }),
)

export const bareDate = 'a bare date means that whole day in the time zone of the organization.'

export function spanIn({ start_at, end_at }: { start_at: string | undefined; end_at: string | undefined }): Span {
  return { from: asOfIn(start_at, 'start_at'), to: asOfIn(end_at, 'end_at') }
}
