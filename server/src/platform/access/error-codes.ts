import { type ErrorCodes, is } from '../core/error-code.ts'

export const accessCodes: ErrorCodes = {
  admin_required: is(
    403,
    'The user does not have the role admin in the organization.',
    'Ask an admin of the organization to do it.',
  ),
  insufficient_scope: is(
    403,
    'The access token lacks a scope that the operation needs.',
    'Get a token with the scope in `details[].allowed`.',
  ),
  person_required: is(403, 'An application that acts for itself cannot decide this.', 'Have a person decide it.'),
  read_only_token: is(
    403,
    'The application of the access token may only read, and the operation writes.',
    'Use another application, or have an admin change its `access`.',
  ),
  right_required: is(
    403,
    'The role of the user does not allow the operation; docs/roles.md says which roles do.',
    'Have somebody with such a role do it.',
  ),
}
