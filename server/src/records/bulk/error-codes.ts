import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const bulkCodes: ErrorCodes = {
  duplicate_row: is(
    409,
    'Another row of the request, or of the file, is about the same record.',
    'Send each record once.',
  ),
  wrong_kind: is(400, 'The object is of another kind than the row says.', 'Correct `objectKey`, or leave it out.'),
}
