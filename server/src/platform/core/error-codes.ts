import { type ErrorCodes, is } from './error-code.ts'

export const coreCodes: ErrorCodes = {
  after_with_offset: is(
    400,
    'The search has both `after` and `offset`.',
    'Send one of them: a cursor says by itself where the page begins.',
  ),
  amount_too_large: is(
    [400, 409],
    'An amount would be beyond ±(2^53−1), which JSON cannot carry exactly, or beyond the digits that a NACHA file has for it.',
    'Send smaller amounts, or split the document or the payment run.',
  ),
  bad_date: is(400, 'The value is not a date.', 'Send a date such as `2026-11-15`.'),
  bad_date_time: is(400, 'The value is not a date-time.', 'Send a date-time such as `2026-11-15T09:30:00Z`.'),
  bad_email: is(400, 'The value is not an e-mail address.', 'Correct the address.'),
  bad_header: is(
    400,
    'The first line of the CSV does not name its columns.',
    'Have the first line name columns of the export, each once, with commas between them.',
  ),
  bad_id: is(
    400,
    'The path names a record in none of the forms that there are.',
    'Use the id, `ext:<external_id>` or `external_id:<external_id>`, percent-encoded.',
  ),
  bad_key: is(
    400,
    'The name of a field cannot be kept, or is not a name that a field can have.',
    'Use another name, as the message says.',
  ),
  bad_text: is(400, 'A text contains characters that cannot be kept or found.', 'Remove them: the message says which.'),
  bad_uuid: is(400, 'The value is not a UUID.', 'Send the id as it was answered.'),
  duplicate_key: is(400, 'A key comes twice in one object of the JSON.', 'Send it once.'),
  inexact_number: is(
    400,
    'A number has more digits than can be kept exactly.',
    'Send it as a text, or with fewer digits.',
  ),
  invalid: is(400, 'The value does not fit what the field can have.', 'Correct it, as the message says.'),
  invalid_cursor: is(
    400,
    'The cursor is not one that this search answered with its filters and its sort.',
    'Keep the filters and the sort from page to page, or begin again without `after`.',
  ),
  invalid_request: is(400, 'Several fields are wrong.', 'Correct each that `details` names.'),
  malformed_csv: is(400, 'The CSV cannot be read to its end.', 'Correct the line that the message names.'),
  malformed_json: is(400, 'The body, or a value that is JSON, cannot be read as JSON.', 'Correct the text.'),
  not_found: is(
    404,
    'There is no such record in this organization.',
    'Check the id, and the organization of the token.',
  ),
  organization_busy: is(
    429,
    'The organization has as many requests, searches, bulk requests, imports or papers under way as one may have at once.',
    'Wait for the seconds in Retry-After, then send fewer at the same time.',
  ),
  required: is(400, 'A value that is needed is missing.', 'Send it.'),
  stale: is(
    412,
    'The record was changed meanwhile, so If-Match does not hold.',
    'Read it again and repeat the change.',
  ),
  too_costly_to_read: is(413, 'Reading what was sent takes too long, or too much memory.', 'Send it in smaller parts.'),
  too_deep: is(400, 'The body or the filter is nested too deep.', 'Nest it less.'),
  too_large: is(400, 'The number is larger than the field takes.', 'Send a smaller one.'),
  too_long: is(400, 'The text is longer than the field takes.', 'Send a shorter one.'),
  too_many: is(400, 'The list has more entries than it can have.', 'Send fewer.'),
  too_many_columns: is(
    400,
    'The CSV has more columns than a file can have.',
    'Leave out the columns that are not needed.',
  ),
  too_many_rows: is(
    413,
    'There are more rows than are done while the caller waits.',
    'Import or export in the background instead, as the message says.',
  ),
  too_short: is(400, 'The text is shorter than the field asks for.', 'Send a longer one.'),
  too_small: is(400, 'The number is smaller than the field takes.', 'Send a larger one.'),
  unavailable: is(
    503,
    'The database is away, cannot do it at the moment (its disk is full, it takes too long, somebody else holds a lock), or too much happens at once.',
    'Try again after the seconds in Retry-After, a write with the same Idempotency-Key.',
  ),
  unknown_reference: is(
    400,
    'The object that a reference names is not there.',
    'Make it first, or correct the reference.',
  ),
  unknown_value: is(400, 'The value is none of those that are allowed.', 'Send one of those in `details[].allowed`.'),
  wrong_number_of_cells: is(
    400,
    'The row has more or fewer cells than the header has columns.',
    'Correct the row; a comma in a cell needs quotation marks around it.',
  ),
  wrong_type: is(
    400,
    'The value is of another type than the field.',
    'Send a value of the type that the message names.',
  ),
}
