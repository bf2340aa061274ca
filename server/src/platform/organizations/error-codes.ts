import { type ErrorCodes, is } from '../core/error-code.ts'

export const organizationCodes: ErrorCodes = {
  bad_name: is(400, 'The name is empty or too long.', 'Send a name of the length that the message gives.'),
  no_such_organization: is(
    403,
    'The organization of the access token does not exist any more.',
    'Sign in to another organization.',
  ),
}
