import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const searchCodes: ErrorCodes = {
  bad_path: is(
    400,
    'A path of fields cannot be read, or leads nowhere.',
    'Correct the path: fields with dots between them.',
  ),
  malformed_filter: is(400, 'A part of the filter is no condition.', 'Send one of the forms that the message gives.'),
  not_for_deleted: is(400, 'Deleted objects cannot be found by this.', 'Use one of the fields that the message names.'),
  not_sortable: is(400, 'The field has parts, which have no order together.', 'Name one of its parts.'),
  too_complex: is(
    400,
    'The filter has too many conditions within each other.',
    'Nest them less, or ask for parts of it one by one.',
  ),
  unknown_op: is(400, 'The field cannot be compared in this way.', 'Use one of the operators in `details[].allowed`.'),
}
