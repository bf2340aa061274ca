/** What a code of a refusal means. A code without a status is one that only the command line tool uses. */
export type ErrorCode = { statuses: readonly number[]; meaning: string; remedy: string }

const is = (statuses: number | readonly number[], meaning: string, remedy: string): ErrorCode => ({ statuses: [statuses].flat(), meaning, remedy })

/**
 * Every code that a refusal carries: `error_code` (in v2 `code`) of an answer, and `code` of its details. docs/errors.md, the enum in the OpenAPI
 * document and a test of the sources come from here.
 */
export const errorCodes = {
  aborted: is(400, 'The connection closed before the body had arrived.', 'Send the request again.'),
  admin_required: is(403, 'The user does not have the role admin in the organization.', 'Ask an admin of the organization to do it.'),
  after_with_offset: is(400, 'The search has both `after` and `offset`.', 'Send one of them: a cursor says by itself where the page begins.'),
  already_joined: is(409, 'The user has joined the organization already.', 'No invitation is needed: the user can sign in.'),
  ambiguous: is(400, 'The fields came both inside `json` and next to it.', 'Send `{ "json": {…} }`, or the fields themselves.'),
  amount_too_large: is(400, 'An amount would be beyond ±(2^53−1), which JSON cannot carry exactly.', 'Send smaller amounts, or split the document.'),
  bad_content_length: is(400, 'The body is not as long as the header Content-Length says.', 'Correct the header, or leave it to the HTTP library.'),
  bad_date: is(400, 'The value is not a date.', 'Send a date such as `2026-11-15`.'),
  bad_date_time: is(400, 'The value is not a date-time.', 'Send a date-time such as `2026-11-15T09:30:00Z`.'),
  bad_email: is(400, 'The value is not an e-mail address.', 'Correct the address.'),
  bad_etag: is(400, 'The header If-Match or If-None-Match is not an ETag.', 'Send the ETag as it came, in quotation marks, or `*`.'),
  bad_event_type: is(400, 'The value is no type of event.', 'Write `bill.paid`, `bill.*` for all of bills, or `*` for all.'),
  bad_external_id: is(400, 'The external id is not a text of 1 to 255 characters.', 'Send a shorter text, or null.'),
  bad_header: is(
    400,
    'The first line of the CSV does not name its columns.',
    'Have the first line name columns of the export, each once, with commas between them.',
  ),
  bad_http: is(400, 'What arrived is not a well-formed HTTP request.', 'Correct the client, or what stands between it and the server.'),
  bad_id: is(
    400,
    'The path names a record in none of the forms that there are.',
    'Use the id, `ext:<external_id>` or `external_id:<external_id>`, percent-encoded.',
  ),
  bad_idempotency_key: is(400, 'The Idempotency-Key is not 1 to 255 visible ASCII characters.', 'Send a UUID, for example.'),
  bad_key: is(400, 'The name of a field cannot be kept, or is not a name that a field can have.', 'Use another name, as the message says.'),
  bad_name: is(400, 'The name is empty or too long.', 'Send a name of the length that the message gives.'),
  bad_password: is(400, 'The password cannot be used.', 'Choose another, as the message says.'),
  bad_path: is(400, 'A path of fields cannot be read, or leads nowhere.', 'Correct the path: fields with dots between them.'),
  bad_prefix: is(400, 'The prefix of the ids of a kind is not of the form that it must have.', 'Send 1 to 10 capital letters and digits, a letter first.'),
  bad_redirect_uri: is(400, 'The redirect URI is not an https address, nor http on this machine.', 'Register an https address without a fragment.'),
  bad_request: is(400, 'The request cannot be read.', 'Correct what the message names.'),
  bad_span: is(400, 'The span of events to send again has no beginning, two, or an end before it.', 'Send `after` or `from`, and a later `to`.'),
  bad_text: is(400, 'A text contains characters that cannot be kept or found.', 'Remove them: the message says which.'),
  bad_url: is(400, 'The address cannot be read.', 'Percent-encode the parts of the path, and keep them short.'),
  bad_uuid: is(400, 'The value is not a UUID.', 'Send the id as it was answered.'),
  bad_webhook_url: is(
    400,
    'The address of the webhook is not an http or https address, or has a password or a fragment.',
    'Send an address such as `https://hooks.example.com/lading`.',
  ),
  billed: is(409, 'A bill pays for the manifest, so this part of it is fixed.', 'Delete that bill while it is a draft, or change the bill instead.'),
  board_does_not_fit: is(409, 'The definition of the kind has changed since the board was made.', 'Change the board so that it fits the definition.'),
  body_required: is(400, 'The request has no body and needs one.', 'Send a body, with the Content-Type that the message names.'),
  body_too_large: is(413, 'The body is larger than the server takes.', 'Send less at a time.'),
  built_in: is([400, 409], 'What is built in can be added to, but not taken away.', 'Keep the built-in part, or remove only what was added.'),
  busy: is(503, 'Too many people are signing in at this moment.', 'Try again after the seconds in Retry-After.'),
  cannot_read: is([], 'The file cannot be read.', 'Correct its name or its rights.'),
  cannot_run: is([], 'The command cannot run as things are.', 'Do what the message says.'),
  cannot_write: is([], 'The file cannot be written.', 'Name another file, or correct the rights of its folder.'),
  contradiction: is(400, 'The same thing was sent twice, with different values.', 'Send it once.'),
  currency_has_lines: is(409, 'The document is saved and has lines in its currency.', 'Make it a draft again, or remove its lines; then change the currency.'),
  currency_is_fixed: is(409, 'The currency of a document cannot change once it was sent.', 'Make another document in the other currency.'),
  currency_required: is(400, 'A document needs a currency before it can be saved, and keeps one after.', 'Set `currency_id`.'),
  date_too_late: is(400, 'A due date would be beyond the year 9999.', 'Set an earlier date.'),
  definition_changed: is(409, 'The definition of the kind was changed while its objects were exported.', 'Make the export again.'),
  does_not_fit: is(409, 'The definition of the kind has changed, so that the object would not fit it.', 'Change the definition, or make the object anew.'),
  duplicate_key: is(400, 'A key comes twice in one object of the JSON.', 'Send it once.'),
  duplicate_row: is(409, 'Another row of the request, or of the file, is about the same record.', 'Send each record once.'),
  empty_period: is(400, 'The pay period ends before it begins.', 'Correct its start or its end.'),
  external_id_is_fixed: is(
    409,
    'The external id of a record is set when it is created, and never after.',
    'Leave out `id` to mean another record, or keep its external id.',
  ),
  external_id_taken: is(409, 'Another record has this external id already.', 'Use another, or update the record that has it.'),
  headers_too_large: is(431, 'The address and the header fields are larger than 16 KiB together.', 'Send fewer or shorter ones.'),
  idempotency_key_in_flight: is(
    409,
    'A request with this Idempotency-Key is still being worked on.',
    'Wait for it, then send the same request again to get its answer.',
  ),
  idempotency_key_reused: is(422, 'The Idempotency-Key was used for another request.', 'Make a new key for each thing that is to be done.'),
  in_use: is(409, 'Other records use it, so it cannot be deleted.', 'Change those that use it first.'),
  inexact_number: is(400, 'A number has more digits than can be kept exactly.', 'Send it as a text, or with fewer digits.'),
  insufficient_scope: is(403, 'The access token lacks a scope that the operation needs.', 'Get a token with the scope in `details[].allowed`.'),
  internal_error: is(500, 'Something went wrong on our side; it is in the log.', 'Try again; if it stays, report the request id.'),
  invalid: is(400, 'The value does not fit what the field can have.', 'Correct it, as the message says.'),
  invalid_cursor: is(
    400,
    'The cursor is not one that this search answered with its filters and its sort.',
    'Keep the filters and the sort from page to page, or begin again without `after`.',
  ),
  invalid_position: is(
    400,
    'The value is not a position of the change feed.',
    'Send `next_after` as it was answered, or leave it out to begin with the oldest.',
  ),
  invalid_request: is(400, 'Several fields are wrong.', 'Correct each that `details` names.'),
  invalid_status_transition: is(400, 'The record cannot go from its state to the one asked for.', 'Ask for one of the states in `details[].allowed`.'),
  invalid_token: is(401, 'The access token is malformed, expired or revoked.', 'Get a new one.'),
  is_paid: is(409, 'The record is paid, so its content is fixed.', 'Reopen it first, with a reason.'),
  key_mismatch: is(400, 'The key of a connector mapping is not its `connector_id`.', 'Make the two equal.'),
  kind_in_use: is(409, 'There are objects of the kind, or fields that refer to it.', 'Delete those first.'),
  last_admin: is(409, 'The user is the last admin of the organization.', 'Make someone else an admin first.'),
  last_bill: is(409, 'It is the last bill of a statement that is no draft.', 'Add another bill first, or delete the statement while it is a draft.'),
  malformed_csv: is(400, 'The CSV cannot be read to its end.', 'Correct the line that the message names.'),
  malformed_filter: is(400, 'A part of the filter is no condition.', 'Send one of the forms that the message gives.'),
  malformed_json: is(400, 'The body, or a value that is JSON, cannot be read as JSON.', 'Correct the text.'),
  method_not_allowed: is(405, 'The path is there, but not for this method.', 'Use one of the methods in the header Allow.'),
  missing: is(409, 'Objects lack a value that is to become required.', 'Give them one first.'),
  name_taken: is(409, 'Another record has this name already.', 'Use another name.'),
  needs_pkce: is(400, 'A public application always needs PKCE.', 'Leave `require_pkce` true, or make the application confidential.'),
  needs_secret: is(400, 'A public application has no secret, which this flow needs.', 'Make the application confidential, or leave out the flow.'),
  no_bills: is(409, 'A statement without bills cannot be saved.', 'Add a bill first.'),
  no_carrier: is(409, 'The manifest has no partner carrier, so there is nobody to pay.', 'Set its partner carrier first.'),
  no_currency: is(409, 'Neither the manifest nor its carrier has a currency.', 'Set one first.'),
  no_organization: is([], 'There is no organization yet.', 'Make one with `lading org create`.'),
  no_secret: is(400, 'A public application has no secret to rotate.', 'Make the application confidential first.'),
  no_such_organization: is(403, 'The organization of the access token does not exist any more.', 'Sign in to another organization.'),
  no_such_path: is(404, 'There is nothing at this address.', 'Look the path up in the reference at `/docs`.'),
  not_a_draft: is(409, 'Only drafts can be deleted.', 'Leave it, or make it a draft again where that is possible.'),
  not_acceptable: is(406, 'The header Accept rules out every form in which this is answered.', 'Accept one of the forms that the message names.'),
  not_all_lines: is(400, 'The order of the lines does not name every line exactly once.', 'Send the ids of all lines, each once.'),
  not_deleted: is(409, 'The object is not deleted, so there is nothing to restore.', 'Read it: it is there.'),
  not_for_deleted: is(400, 'Deleted objects cannot be found by this.', 'Use one of the fields that the message names.'),
  not_found: is(404, 'There is no such record in this organization.', 'Check the id, and the organization of the token.'),
  not_gatherable: is(409, 'A bill cannot go on this statement.', 'Leave out the bills that `details` names, or change what stands against them.'),
  not_possible: is(400, 'The field cannot have this property with its type.', 'Leave the property out, or choose another type.'),
  not_sortable: is(400, 'The field has parts, which have no order together.', 'Name one of its parts.'),
  not_utf8: is(400, 'The body is not UTF-8.', 'Save the file as UTF-8.'),
  nothing_to_bill: is(409, 'The manifest has no payment items.', 'Give it some first.'),
  nothing_to_gather: is(409, 'The payee has no bills in that period that could go on a statement.', 'Choose another period, or name the bills.'),
  object_key_taken: is(409, 'There is a kind of this key already.', 'Use another key, or change that kind.'),
  on_a_statement: is(409, 'The bill is on a statement, which fixes this.', 'Take it off the statement first.'),
  org_required: is([], 'There are several organizations.', 'Say which with `--org`.'),
  organization_busy: is(
    429,
    'The organization has as many requests, searches, bulk requests or imports under way as one may have at once.',
    'Wait for the seconds in Retry-After, then send fewer at the same time.',
  ),
  position_expired: is(
    410,
    'The position is from before the time for which events are kept.',
    'Read the records anew, and begin the feed again without a position.',
  ),
  prefix_taken: is(409, 'Another kind has this prefix already.', 'Use another prefix.'),
  private_address: is(
    400,
    'The address of the webhook is one of the server itself or of a private network.',
    'Use a public address, or ask the operator about WEBHOOK_ALLOW_PRIVATE.',
  ),
  rate_limited: is(
    429,
    'The token or the organization has made as many requests as it may in a minute.',
    'Wait for the seconds in Retry-After, then go on more slowly.',
  ),
  read_only: is([200, 400], 'The field is set by the server, or cannot change. In `errors` of an answer in v2: it was ignored.', 'Leave it out.'),
  reason_required: is(400, 'Reopening what is paid needs a reason.', 'Send `reason` with a few words.'),
  reference_is_gone: is(409, 'Something that the object refers to is gone, so it cannot come back as it was.', 'Restore that first.'),
  referenced: is(409, 'Other objects refer to it, so it cannot be deleted.', 'Change or delete those that `details` counts first.'),
  removed_field: is(
    200,
    'The field was removed from the kind. In `errors` of an answer in v2: it was ignored.',
    'Leave it out, or add the field to the definition again.',
  ),
  repeated: is(400, 'What can be sent once was sent more than once.', 'Send it once.'),
  request_timeout: is(408, 'The request took too long to arrive.', 'Send it again, in one go.'),
  required: is(400, 'A value that is needed is missing.', 'Send it.'),
  reserved: is(400, 'The name of the field has a meaning of its own.', 'Use another name.'),
  same_file: is([], 'The report would be written over the file that is imported.', 'Name another file with `--report`.'),
  search_too_slow: is(
    400,
    'The search takes longer than a search may.',
    'Narrow it with conditions that fewer records fit, search for words of three letters or more, or export what you look for.',
  ),
  several_currencies: is(
    400,
    'The payee is owed in several currencies, and a statement has one.',
    'Name one of those in `details[].allowed` with `currency_id`.',
  ),
  stale: is(412, 'The record was changed meanwhile, so If-Match does not hold.', 'Read it again and repeat the change.'),
  statement_is_paid: is(409, 'The bill was paid with its statement.', 'Reopen the statement first.'),
  status_in_use: is(409, 'Objects are in the state that is to be taken away.', 'Change those first.'),
  taken: is([400, 409], 'Another record, or another entry, has this value already, and it is unique.', 'Use another value.'),
  tax_is_off: is(400, 'A document has no tax while `is_tax_on` is false.', 'Send `is_tax_on: true` with the tax.'),
  token_required: is(401, 'The request has no access token.', 'Send the header `Authorization: Bearer <access token>`.'),
  too_complex: is(400, 'The filter has too many conditions within each other.', 'Nest them less, or ask for parts of it one by one.'),
  too_deep: is(400, 'The body or the filter is nested too deep.', 'Nest it less.'),
  too_large: is(400, 'The number is larger than the field takes.', 'Send a smaller one.'),
  too_long: is(400, 'The text is longer than the field takes.', 'Send a shorter one.'),
  too_many: is(400, 'The list has more entries than it can have.', 'Send fewer.'),
  too_many_attempts: is(429, 'There were too many failed attempts to sign in.', 'Wait for the seconds in Retry-After.'),
  too_many_event_streams: is(429, 'As many streams of events are open as there can be.', 'Close some, or read them with one stream and hand on what comes.'),
  too_many_kinds: is(409, 'The organization has as many kinds as it can have.', 'Delete one first.'),
  too_many_lines: is(409, 'The document has as many lines as it can have.', 'Make another document for the rest.'),
  too_many_rows: is(413, 'There are more rows than are done while the caller waits.', 'Import or export in the background instead, as the message says.'),
  too_many_streams: is(
    429,
    'As many exports are under way as the organization, or the server, may have at once.',
    'Try again after the seconds in Retry-After.',
  ),
  too_many_transfers: is(429, 'As many imports and exports of the organization are waiting or running as it can have.', 'Wait for one to end, or cancel one.'),
  too_short: is(400, 'The text is shorter than the field asks for.', 'Send a longer one.'),
  too_small: is(400, 'The number is smaller than the field takes.', 'Send a larger one.'),
  transfer_has_ended: is(409, 'The import or export has ended, so it cannot be cancelled.', 'Leave it: what it wrote stays.'),
  transfer_has_no_result: is(409, 'The import or export is not done, or was ended early.', 'Wait until it is done, or make it again.'),
  unavailable: is(
    503,
    'The database is away, cannot do it at the moment (its disk is full, it takes too long, somebody else holds a lock), or too much happens at once.',
    'Try again after the seconds in Retry-After, a write with the same Idempotency-Key.',
  ),
  unknown_bill: is(400, 'There is no bill of this id in the organization.', 'Check the id.'),
  unknown_bill_item_type: is([400, 409], 'There is no such bill item type in the organization.', 'Make it, or use one that is there.'),
  unknown_column: is(
    400,
    'The file has a column that means nothing here, and strict handling was asked for.',
    'Remove the column, or leave out `Prefer: handling=strict`.',
  ),
  unknown_currency: is(400, 'The value is not the code of an ISO 4217 currency.', 'Send a code such as `usd`; `GET /currencies` lists them.'),
  unknown_field: is(400, 'There is no such field: in strict handling, in a filter, or in an order.', 'Correct its name, or leave it out.'),
  unknown_line: is(400, 'The document has no line of this id.', 'Leave out the id to add a line, or correct it.'),
  unknown_object_key: is(400, 'There is no such kind of object in the organization.', 'Use one that `GET /definitions` lists.'),
  unknown_op: is(400, 'The field cannot be compared in this way.', 'Use one of the operators in `details[].allowed`.'),
  unknown_parameter: is(400, 'There is no such query parameter, and strict handling was asked for.', 'Correct its name, or leave it out.'),
  unknown_pay_term: is(400, 'There is no such pay term in the organization.', 'Use one that `GET /pay_terms` lists.'),
  unknown_reference: is(400, 'The object that a reference names is not there.', 'Make it first, or correct the reference.'),
  unknown_value: is(400, 'The value is none of those that are allowed.', 'Send one of those in `details[].allowed`.'),
  unsupported_media_type: is(415, 'The body is in a form that the operation does not take.', 'Send the Content-Type that the message names.'),
  usage: is([], 'The command line is wrong.', 'See the help that the error names.'),
  user_exists: is(409, 'The person is a user of the organization already.', 'Change that user instead.'),
  value_taken: is(409, 'Another object has a value that must be unique.', 'Use another value.'),
  values_are_not_unique: is(409, 'Objects share a value in a field that is to become unique.', 'Give each a value of its own first.'),
  values_do_not_fit: is(409, 'Objects have values that the changed field could not have.', 'Change those values first.'),
  values_are_missing: is(409, 'Objects have no value in a field that is to become required.', 'Give them one first.'),
  webhook_disabled: is(409, 'The webhook is disabled, so nothing is sent to it.', 'Enable it first.'),
  wrong_kind: is(400, 'The object is of another kind than the row says.', 'Correct `objectKey`, or leave it out.'),
  wrong_number_of_cells: is(
    400,
    'The row has more or fewer cells than the header has columns.',
    'Correct the row; a comma in a cell needs quotation marks around it.',
  ),
  wrong_party: is(
    400,
    'A credit has a partner or a customer that does not fit its direction.',
    'Name the party that the message says, and leave out the other.',
  ),
  wrong_password: is(400, 'The password is wrong.', 'Try again, or have it set anew.'),
  wrong_type: is(400, 'The value is of another type than the field.', 'Send a value of the type that the message names.'),
} as const satisfies Record<string, ErrorCode>

export const errorCodeNames = Object.keys(errorCodes).sort()

/** The page that lists them all. */
export function errorPage(): string {
  const rows = Object.entries(errorCodes).sort(([one], [other]) => (one < other ? -1 : 1))
  return `# Errors

<!-- Generated by npm run generate from server/src/http/error-codes.ts: change it there. -->

Every refusal says what is wrong, where, and what to do. In v1 its body is \`{ error_code, error_message, details: [{ field, code, message, allowed? }], request_id }\`, in v2 the same facts are \`{ statusCode, error, message, code, details, requestId }\`. The endpoints under \`/oauth2\` answer in the form of RFC 6749 instead.

- Programs decide by the code. The messages are for people, and may be worded better in a later version.
- \`details\` has an entry for each field that is wrong. Where there is one, its code is that of the whole refusal; where there are several, that is \`invalid_request\`.
- A row of a bulk request or of an import that fails has the same codes in its \`error\`; the answer as a whole is 200 then.
- More codes may come with later versions. Treat one that you do not know by the status of the answer.
- A 503 of a write says in \`outcome\` what became of it: \`not_written\`, nothing was saved; \`unknown\`, the connection to the database was lost while it was being saved, or after a part of it was. Send the same request again with the same \`Idempotency-Key\`: what was saved is answered again, what was not is done. Without a key, look before you send it again. A 503 without \`outcome\` may come from what stands between you and the server: treat it as \`unknown\`.
- \`request_id\`, also in the header \`X-Request-Id\`, finds the request in the log of the server.

| code | status | what it means | what to do |
|---|---|---|---|
${rows.map(([code, { statuses, meaning, remedy }]) => `| \`${code}\` | ${statuses.length > 0 ? statuses.join(', ') : 'command line'} | ${meaning} | ${remedy} |`).join('\n')}
`
}
