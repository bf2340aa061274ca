import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const positionCodes: ErrorCodes = {
  too_many_positions: is(
    409,
    'The manifest has as many positions as one may have, or the organization has recorded as many as it may in a day.',
    'Send fewer, such as one a minute.',
  ),
}
