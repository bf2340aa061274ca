import { type ErrorCodes, is } from '../core/error-code.ts'

export const plainRecordCodes: ErrorCodes = {
  name_taken: is(409, 'Another record has this name already.', 'Use another name.'),
  taken: is(
    [400, 409],
    'Another record, or another entry, has this value already, and it is unique.',
    'Use another value.',
  ),
}
