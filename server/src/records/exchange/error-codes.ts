import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const exchangeCodes: ErrorCodes = {
  definition_changed: is(
    409,
    'The definition of the kind was changed while its objects were exported.',
    'Make the export again.',
  ),
}
