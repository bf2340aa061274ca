import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const userCodes: ErrorCodes = {
  already_joined: is(
    409,
    'The user has joined the organization already.',
    'No invitation is needed: the user can sign in.',
  ),
  invited_by_mail: is(
    400,
    'There is a mail server, so who is invited chooses their own password.',
    'Leave `password` out: they are mailed a link.',
  ),
  last_admin: is(409, 'The user is the last admin of the organization.', 'Make someone else an admin first.'),
  not_a_partner: is(
    400,
    'A user has a carrier, but not the role partner.',
    'Leave `partner_carrier_id` out, or send the role `partner`.',
  ),
  partner_carrier_required: is(400, 'A user with the role partner has no carrier.', 'Send `partner_carrier_id`.'),
  unknown_partner_carrier: is(
    400,
    'There is no such partner carrier in the organization.',
    'Send the id of one that there is.',
  ),
  user_exists: is(409, 'The person is a user of the organization already.', 'Change that user instead.'),
  wrong_password: is(400, 'The password is wrong.', 'Try again, or have it set anew.'),
}
