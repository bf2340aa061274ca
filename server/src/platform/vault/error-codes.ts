import { type ErrorCodes, is } from '../core/error-code.ts'

export const vaultCodes: ErrorCodes = {
  bank_keys_missing: is(
    409,
    'This server lacks the key that bank details and secrets of connections are encrypted with.',
    'Have its operator set BANK_DETAILS_KEYS.',
  ),
}
