import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const bookingCodes: ErrorCodes = {
  double_booked: is(
    409,
    'The equipment or the driver is taken by another manifest at the same time.',
    'Choose another, or another time; the message names the other manifest.',
  ),
}
