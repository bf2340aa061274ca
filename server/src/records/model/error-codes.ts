import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const modelCodes: ErrorCodes = {
  ambiguous: is(
    400,
    'The fields came both inside `json` and next to it.',
    'Send `{ "json": {…} }`, or the fields themselves.',
  ),
  bad_external_id: is(400, 'The external id is not a text of 1 to 255 characters.', 'Send a shorter text, or null.'),
  contradiction: is(400, 'The same thing was sent twice, with different values.', 'Send it once.'),
  external_id_taken: is(
    409,
    'Another record has this external id already.',
    'Use another, or update the record that has it.',
  ),
  read_only: is(
    [200, 400],
    'The field is set by the server, or cannot change. In `errors` of an answer in v2: it was ignored.',
    'Leave it out.',
  ),
  removed_field: is(
    200,
    'The field was removed from the kind. In `errors` of an answer in v2: it was ignored.',
    'Leave it out, or add the field to the definition again.',
  ),
  unknown_currency: is(
    400,
    'The value is not the code of an ISO 4217 currency.',
    'Send a code such as `usd`; `GET /currencies` lists them.',
  ),
  unknown_time_zone: is(
    400,
    'The value is not the name of a time zone.',
    'Send a name of the IANA database, such as `America/New_York`.',
  ),
  value_taken: is(409, 'Another object has a value that must be unique.', 'Use another value.'),
}
