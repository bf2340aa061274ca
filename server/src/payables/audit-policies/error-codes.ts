import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const auditPolicyCodes: ErrorCodes = {
  not_for_a_type: is(
    400,
    'A policy for a type of lines cannot approve invoices by itself.',
    'Set `approve_automatically` on the policy of the carrier, or of all.',
  ),
  policy_taken: is(409, 'There is an audit policy for this carrier and this type already.', 'Change that policy.'),
}
