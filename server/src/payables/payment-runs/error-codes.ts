import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const paymentRunCodes: ErrorCodes = {
  bill_has_changed: is(409, 'The bill has changed since it was chosen for the payment run.', 'Take it out of the run.'),
  covered_by_credits: is(
    409,
    'What is set off comes to as much as the bills that would be left of the carrier.',
    'Take the set-off out of the run first.',
  ),
  file_is_empty: is(
    409,
    'No payment of the payment run goes into this file.',
    'Download another file: the CSV file says which payment is in which.',
  ),
  no_payee: is(409, 'The carrier has no payee, so a payment run leaves it out.', 'Make a payee for it.'),
  nothing_due: is(
    409,
    'Nothing is due that a payment run could pay.',
    'Do what the message advises: choose a later day, make payees, have changes of payees or bills approved.',
  ),
  nothing_to_pay: is(
    409,
    'The deductions of the carrier come to as much as it is owed.',
    'Leave it out, or settle its bills by hand.',
  ),
  paying_account_missing: is(
    409,
    'The file has to name an account from which it is paid, and there is none.',
    'Set a paying account in the currency of the run.',
  ),
  run_is_empty: is(409, 'Every bill was taken out of the payment run.', 'Delete the run.'),
  run_is_issued: is(
    409,
    'The payment run is issued, so it does not change any more.',
    'Return a payment that came back.',
  ),
  run_not_approved: is(409, 'The payment run is not approved.', 'Have another person approve it.'),
  run_not_issued: is(409, 'The payment run is not issued yet.', 'Have it approved, then issue it.'),
  run_out_of_date: is(
    409,
    'Bills, or what is set off, have changed since they were chosen for the payment run.',
    'Take them out of the run.',
  ),
  set_off_has_changed: is(
    [],
    'Less is left of a credit or an earlier payment than the payment run sets off.',
    'Take the set-off out of the run.',
  ),
}
