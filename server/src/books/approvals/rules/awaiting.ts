import Type from 'typebox'
import type { CustomFilter } from '../../documents/model/kind/kind.ts'
import { isAwaiting } from './rules-sql.ts'

/** The bills that the caller could approve next. */
export const awaiting: CustomFilter = {
  schema: Type.Optional(
    Type.Enum(['me'], {
      description:
        'With `me` keeps the bills that wait for an approval which the caller may give, also in the place of somebody who delegated it to them.',
      examples: ['me'],
    }),
  ),
  isAboutCaller: true,
  condition: (org, user) => isAwaiting(org, user as string),
}
