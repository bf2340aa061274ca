import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const payeeCodes: ErrorCodes = {
  address_required: is(
    400,
    'A payee that is paid by check has no address.',
    'Send `address`: where the check is sent to.',
  ),
  carrier_has_a_payee: is(409, 'The carrier has a payee already.', 'Change that payee instead.'),
  change_is_decided: is(409, 'The change was approved or rejected already.', 'Ask for another change.'),
  change_is_incomplete: is(
    409,
    'The change names a part of a payee that was never approved, and the rest would apply unseen.',
    'Reject it, and ask for it again: it has all of the payee then.',
  ),
  new_approver: is(
    403,
    'Who joined, or got a role that approves, a few days ago decides nothing about where money goes.',
    'Have somebody decide who has been there for longer, or wait.',
  ),
  not_of_a_carrier: is(
    400,
    'Only the payee of a carrier can be assigned to a factoring company.',
    'Leave out `factor_payee_id`.',
  ),
  notice_required: is(
    400,
    'An assignment and the day of its notice come together.',
    'Send both `factor_payee_id` and `notice_of_assignment_on`, or neither.',
  ),
  payee_in_use: is(409, 'Payments or assignments refer to the payee.', 'Keep it, or end the assignments first.'),
  quick_pay_incomplete: is(400, 'The days and the percent of quick pay come together.', 'Send both, or neither.'),
  second_person_required: is(
    403,
    'Who asked for this cannot approve it, nor can an application of theirs in the name of another.',
    'Have another person approve it, in the console.',
  ),
  unknown_factor: is(400, 'There is no payee of a factoring company with this id.', 'Correct `factor_payee_id`.'),
}
