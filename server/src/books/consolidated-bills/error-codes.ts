import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const consolidatedBillCodes: ErrorCodes = {
  empty_period: is(400, 'The pay period ends before it begins.', 'Correct its start or its end.'),
  no_bills: is(409, 'A statement without bills cannot be saved.', 'Add a bill first.'),
  statement_is_paid: is(409, 'The bill was paid with its statement.', 'Reopen the statement first.'),
}
