import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const indexCodes: ErrorCodes = {
  does_not_fit: is(
    409,
    'The definition of the kind has changed, so that the object would not fit it.',
    'Change the definition, or make the object anew.',
  ),
  values_are_not_unique: is(
    409,
    'Objects share a value in a field that is to become unique.',
    'Give each a value of its own first.',
  ),
  values_do_not_fit: is(
    409,
    'Objects have values that the changed field could not have.',
    'Change those values first.',
  ),
}
