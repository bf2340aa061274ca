import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const settlingCodes: ErrorCodes = {
  last_bill: is(
    409,
    'It is the last bill of a statement that is no draft.',
    'Add another bill first, or void the statement.',
  ),
  not_gatherable: is(
    409,
    'A bill cannot go on this statement.',
    'Leave out the bills that `details` names, or change what stands against them.',
  ),
  not_the_whole: is(
    400,
    'The amount is not what is due of the statement, which is paid whole.',
    'Leave out `amount`, or pay the bills of the statement in part.',
  ),
  nothing_to_gather: is(
    409,
    'The payee has no bills in that period that could go on a statement.',
    'Choose another period, or name the bills.',
  ),
  several_currencies: is(
    400,
    'The payee is owed in several currencies, and a statement has one.',
    'Name one of those in `details[].allowed` with `currency_id`.',
  ),
}
