import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const passwordCodes: ErrorCodes = {
  bad_password: is(400, 'The password cannot be used.', 'Choose another, as the message says.'),
  busy: is(503, 'Too many people are signing in at this moment.', 'Try again after the seconds in Retry-After.'),
  too_many_attempts: is(429, 'There were too many failed attempts to sign in.', 'Wait for the seconds in Retry-After.'),
}
