import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const emanifestCodes: ErrorCodes = {
  emanifest_incomplete: is(
    409,
    'The e-manifest lacks something that customs asks for.',
    'Enter what `details` names, and validate it again.',
  ),
  trip_number_fixed: is(
    409,
    'Customs knows the e-manifest by its trip number, which stays as it is.',
    'Cancel the e-manifest and make another.',
  ),
  trip_number_taken: is(
    409,
    'Another e-manifest of this border has the trip number.',
    'Send another number, or cancel the other e-manifest.',
  ),
  unknown_interchange: is(
    404,
    'No e-manifest was filed with this control number or trip number.',
    'Send the acknowledgement to the organization that filed it.',
  ),
  wrong_state: is(
    409,
    'The record is not in a state in which this can be done.',
    'See `allowed` for the states in which it can.',
  ),
}
