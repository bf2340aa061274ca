import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const boardCodes: ErrorCodes = {
  board_does_not_fit: is(
    409,
    'The definition of the kind has changed since the board was made.',
    'Change the board so that it fits the definition.',
  ),
}
