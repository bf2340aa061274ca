import { type ErrorCodes, is } from '../core/error-code.ts'

export const httpCodes: ErrorCodes = {
  aborted: is(400, 'The connection closed before the body had arrived.', 'Send the request again.'),
  as_of_not_offered: is(
    400,
    'What is asked for cannot be had as of a past moment.',
    'Leave out `as_of`. Records, reports and statements of customers and carriers take it.',
  ),
  bad_content_length: is(
    400,
    'The body is not as long as the header Content-Length says.',
    'Correct the header, or leave it to the HTTP library.',
  ),
  bad_etag: is(
    400,
    'The header If-Match or If-None-Match is not an ETag.',
    'Send the ETag as it came, in quotation marks, or `*`.',
  ),
  bad_http: is(
    400,
    'What arrived is not a well-formed HTTP request.',
    'Correct the client, or what stands between it and the server.',
  ),
  bad_idempotency_key: is(
    400,
    'The Idempotency-Key is not 1 to 255 visible ASCII characters.',
    'Send a UUID, for example.',
  ),
  bad_request: is(400, 'The request cannot be read.', 'Correct what the message names.'),
  bad_url: is(400, 'The address cannot be read.', 'Percent-encode the parts of the path, and keep them short.'),
  body_required: is(
    400,
    'The request has no body and needs one.',
    'Send a body, with the Content-Type that the message names.',
  ),
  body_too_large: is(413, 'The body is larger than the server takes.', 'Send less at a time.'),
  dry_run_not_possible: is(
    400,
    'The operation takes no dry run: its answer is what it does, such as a secret that is shown once.',
    'Send it without `Prefer: dry-run`.',
  ),
  headers_too_large: is(
    431,
    'The address and the header fields are larger than 16 KiB together.',
    'Send fewer or shorter ones.',
  ),
  idempotency_key_in_flight: is(
    409,
    'A request with this Idempotency-Key is still being worked on.',
    'Wait for it, then send the same request again to get its answer.',
  ),
  idempotency_key_reused: is(
    422,
    'The Idempotency-Key was used for another request.',
    'Make a new key for each thing that is to be done.',
  ),
  internal_error: is(
    500,
    'Something went wrong on our side; it is in the log.',
    'Try again; if it stays, report the request id.',
  ),
  invalid_token: is(401, 'The access token is malformed, expired or revoked.', 'Get a new one.'),
  method_not_allowed: is(
    405,
    'The path is there, but not for this method.',
    'Use one of the methods in the header Allow.',
  ),
  no_such_path: is(404, 'There is nothing at this address.', 'Look the path up in the reference at `/docs`.'),
  not_acceptable: is(
    406,
    'The header Accept rules out every form in which this is answered.',
    'Accept one of the forms that the message names.',
  ),
  not_utf8: is(400, 'The body is not UTF-8.', 'Save the file as UTF-8.'),
  rate_limited: is(
    429,
    'The token or the organization has made as many requests as it may in a minute.',
    'Wait for the seconds in Retry-After, then go on more slowly.',
  ),
  repeated: is(400, 'What can be sent once was sent more than once.', 'Send it once.'),
  request_timeout: is(408, 'The request took too long to arrive.', 'Send it again, in one go.'),
  token_required: is(
    401,
    'The request has no access token.',
    'Send the header `Authorization: Bearer <access token>`.',
  ),
  unknown_field: is(
    400,
    'There is no such field: in strict handling, in a filter, or in an order.',
    'Correct its name, or leave it out.',
  ),
  unknown_parameter: is(
    400,
    'There is no such query parameter, and strict handling was asked for.',
    'Correct its name, or leave it out.',
  ),
  unsupported_media_type: is(
    415,
    'The body is in a form that the operation does not take.',
    'Send the Content-Type that the message names.',
  ),
}
