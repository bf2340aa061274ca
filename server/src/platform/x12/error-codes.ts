import { type ErrorCodes, is } from '../core/error-code.ts'

export const x12Codes: ErrorCodes = {
  bad_edi: is(
    400,
    'The EDI is malformed, or holds something else than is taken here.',
    'Correct the segment and element that the message names.',
  ),
}
