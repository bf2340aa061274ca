import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const documentCodes: ErrorCodes = {
  already_paid: is(
    409,
    'The document or the statement is paid, and the request describes another payment, or another time of payment, than was recorded.',
    'Nothing is to be done where it is paid as it should be. Otherwise reopen it, with a reason, and pay it again.',
  ),
  bad_amount: is(
    400,
    'The value is not an amount of its currency.',
    'Write a decimal number with the decimals of the currency, such as `1705.58`.',
  ),
  below_amount_paid: is(
    409,
    'The total would be less than what was paid already.',
    'Void a payment first, or keep the total.',
  ),
  columns_disagree: is(
    400,
    'Two columns that are forms of one value, such as `total_amount` and `total_amount_decimal`, say different things.',
    'Change both, or leave one of them out.',
  ),
  currency_has_lines: is(
    409,
    'The document is saved and has lines in its currency.',
    'Make it a draft again, or remove its lines; then change the currency.',
  ),
  currency_is_fixed: is(
    409,
    'The currency of a document cannot change once it was sent.',
    'Make another document in the other currency.',
  ),
  currency_required: is(
    400,
    'A document needs a currency before it can be saved, and keeps one after.',
    'Set `currency_id`.',
  ),
  date_too_late: is(400, 'A due date would be beyond the year 9999.', 'Set an earlier date.'),
  external_id_is_fixed: is(
    409,
    'The external id of a record is set when it is created, and never after.',
    'Leave out `id` to mean another record, or keep its external id.',
  ),
  has_number: is(
    409,
    'The document was saved once and has a number, which must not disappear.',
    'Void it instead, with a reason.',
  ),
  has_payments: is(
    409,
    'Something of the document is paid, which fixes this.',
    'Void its payments first, or reopen it.',
  ),
  invalid_status_transition: is(
    400,
    'The record cannot go from its state to the one asked for.',
    'Ask for one of the states in `details[].allowed`.',
  ),
  is_draft: is(
    409,
    'A draft that was never saved cannot be voided, and no draft can be repriced or approved.',
    'Delete it, or save it first.',
  ),
  is_paid: is(409, 'The record is paid, so its content is fixed.', 'Reopen it first, with a reason.'),
  is_voided: is(409, 'The document was voided, so it cannot change any more.', 'Make another one in its place.'),
  more_than_due: is(409, 'More would be paid than is due.', 'Send no more than `amount_due`.'),
  not_a_draft: is(409, 'Only drafts can be deleted.', 'Leave it, or make it a draft again where that is possible.'),
  not_all_lines: is(
    400,
    'The order of the lines does not name every line exactly once.',
    'Send the ids of all lines, each once.',
  ),
  on_a_statement: is(409, 'The bill is on a statement, which fixes this.', 'Take it off the statement first.'),
  reason_required: is(400, 'Reopening what is paid needs a reason.', 'Send `reason` with a few words.'),
  tax_is_off: is(400, 'A document has no tax while `is_tax_on` is false.', 'Send `is_tax_on: true` with the tax.'),
  tax_rate_inactive: is(
    409,
    'The tax rate is not active, so no line can be given it.',
    'Use another, or set its `active` to true.',
  ),
  too_many_lines: is(409, 'The document has as many lines as it can have.', 'Make another document for the rest.'),
  unknown_line: is(400, 'The document has no line of this id.', 'Leave out the id to add a line, or correct it.'),
  unknown_tax_rate: is(400, 'There is no such tax rate in the organization.', 'Use one that `GET /tax_rates` lists.'),
  wrong_sign: is(400, 'The amount has the wrong sign, or is 0.', 'Send an amount with the sign of what is due.'),
}
