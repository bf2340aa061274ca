import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const writeOffCodes: ErrorCodes = {
  nothing_to_write_off: is(
    409,
    'The invoice is a draft, is voided, or owes nothing.',
    'Choose an invoice of which something is due.',
  ),
}
