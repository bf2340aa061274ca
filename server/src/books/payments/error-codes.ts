import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const paymentCodes: ErrorCodes = {
  before_payment: is(
    400,
    'The refund is dated before the day of the payment that it pays back.',
    'Send `paid_at` of that day or a later one, or leave it out.',
  ),
  has_deductions: is(
    409,
    'The payment settles documents that reduce it, so none can be taken out alone.',
    'Void the payment instead.',
  ),
  in_payment_run: is(409, 'The payment is part of a payment run.', 'Change the run instead, or return the payment.'),
  is_a_refund: is(409, 'The payment pays back another one, so it cannot be paid back itself.', 'Void it instead.'),
  more_than_payment: is(
    409,
    'More would be allocated or paid back than is left of the payment.',
    'Allocate or pay back no more than `unallocated_amount`.',
  ),
  no_money_moves: is(
    409,
    'What is paid comes to 0 or less, so no money moves by a method.',
    'Leave out "method": it is recorded.',
  ),
  not_applicable: is(409, 'The credit is a draft, voided, or less than nothing.', 'Save it first, or make another.'),
  not_issued: is(
    409,
    'The payment is not in a state in which this can be done.',
    'Issue it first, or delete it where it is a draft.',
  ),
  not_payable: is(
    409,
    'A document cannot be settled by this payment.',
    'Leave out the documents that `details` names: they are drafts, voided, or of another currency or party.',
  ),
  only_deductions: is(
    409,
    'The allocations come to less than 0: documents that reduce a payment need others of at least as much.',
    'Name those as well.',
  ),
  paid_by_payments: is(
    409,
    'The document is paid by payments that reopening does not undo.',
    'Void the payments that `details` names.',
  ),
  party_required: is(
    400,
    'The payment names nobody, or two, who pay or are paid.',
    'Send either `partner_carrier_id` or `customer_id`.',
  ),
  payee_change_waiting: is(
    409,
    'A change of where the money goes waits for a second person.',
    'Have it approved or rejected first.',
  ),
  payment_is_issued: is(409, 'What an issued payment pays is fixed.', 'Void it, and make another.'),
  payment_is_voided: is(409, 'The payment is voided.', 'Make another.'),
  refunded: is(409, 'The payment was paid back, wholly or in part.', 'Void the refund that the message names first.'),
  wrong_document: is(
    400,
    'The allocation names no document, several, or one that such a payment does not settle.',
    'Name one document by the field in `details[].allowed`.',
  ),
}
