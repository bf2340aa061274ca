/** What a code of a refusal means. A code without a status is one that only the command line tool uses. */
export type ErrorCode = { statuses: readonly number[]; meaning: string; remedy: string }

const is = (statuses: number | readonly number[], meaning: string, remedy: string): ErrorCode => ({
  statuses: [statuses].flat(),
  meaning,
  remedy,
})

/**
 * Every code that a refusal carries: `error_code` (in v2 `code`) of an answer, and `code` of its details. docs/errors.md, the enum in the OpenAPI
 * document and a test of the sources come from here.
 */
export const errorCodes = {
  aborted: is(400, 'The connection closed before the body had arrived.', 'Send the request again.'),
  address_missing: is(409, 'There is no address to mail the record to.', 'Send `to`, or set an address in the record.'),
  address_required: is(
    400,
    'A payee that is paid by check has no address.',
    'Send `address`: where the check is sent to.',
  ),
  admin_required: is(
    403,
    'The user does not have the role admin in the organization.',
    'Ask an admin of the organization to do it.',
  ),
  after_with_offset: is(
    400,
    'The search has both `after` and `offset`.',
    'Send one of them: a cursor says by itself where the page begins.',
  ),
  already_billed: is(
    409,
    'A bill pays for a manifest of the carrier invoice, and the audit of the invoice did not find that.',
    'Audit the invoice again and decide about what is found, or reject it; the message names the bill.',
  ),
  already_connected: is(409, 'There is a connection with this accounting system already.', 'Change that one.'),
  already_decided: is(
    409,
    'The bill is approved, rejected or paid already, or the caller has decided about it.',
    'Have another person decide, where two are needed.',
  ),
  already_joined: is(
    409,
    'The user has joined the organization already.',
    'No invitation is needed: the user can sign in.',
  ),
  already_paid: is(
    409,
    'The document or the statement is paid, and the request describes another payment, or another time of payment, than was recorded.',
    'Nothing is to be done where it is paid as it should be. Otherwise reopen it, with a reason, and pay it again.',
  ),
  already_queued: is(409, 'The mail is waiting to be sent already.', 'Wait for it: `status` says what became of it.'),
  ambiguous: is(
    400,
    'The fields came both inside `json` and next to it.',
    'Send `{ "json": {…} }`, or the fields themselves.',
  ),
  ambiguous_carrier: is(400, 'Several carriers are called so.', 'Send the id of the one that is meant.'),
  amount_too_large: is(
    [400, 409],
    'An amount would be beyond ±(2^53−1), which JSON cannot carry exactly, or beyond the digits that a NACHA file has for it.',
    'Send smaller amounts, or split the document or the payment run.',
  ),
  application_missing: is(
    409,
    'Neither the connection nor the server has an application with the accounting system.',
    'Set `settings.client_id` and `secrets.client_secret`.',
  ),
  approval_not_needed: is(409, 'The bill needs no approval.', 'Pay it.'),
  arrived_before: is(
    409,
    'A message with this source key has arrived before.',
    'Nothing is to be done: its carrier invoice is there.',
  ),
  arrived_in_part: is(
    409,
    'Some of the invoices of an interchange have arrived before, and some have not.',
    'Send the others in an interchange of their own.',
  ),
  as_of_not_offered: is(
    400,
    'What is asked for cannot be had as of a past moment.',
    'Leave out `as_of`. Records, reports and statements of customers and carriers take it.',
  ),
  automatic_reply: is(
    [],
    'The mail is an automatic reply or a report of a mail server.',
    'Nothing is to be done: it is no invoice.',
  ),
  bad_amount: is(
    400,
    'The value is not an amount of its currency.',
    'Write a decimal number with the decimals of the currency, such as `1705.58`.',
  ),
  bad_bank_details: is(
    400,
    'A number among the bank details is wrong: its form or its check digits.',
    'Correct the field that the message names.',
  ),
  bad_content_length: is(
    400,
    'The body is not as long as the header Content-Length says.',
    'Correct the header, or leave it to the HTTP library.',
  ),
  bad_date: is(400, 'The value is not a date.', 'Send a date such as `2026-11-15`.'),
  bad_date_time: is(400, 'The value is not a date-time.', 'Send a date-time such as `2026-11-15T09:30:00Z`.'),
  bad_edi: is(
    400,
    'The EDI is malformed, or holds something else than is taken here.',
    'Correct the segment and element that the message names.',
  ),
  bad_email: is(400, 'The value is not an e-mail address.', 'Correct the address.'),
  bad_etag: is(
    400,
    'The header If-Match or If-None-Match is not an ETag.',
    'Send the ETag as it came, in quotation marks, or `*`.',
  ),
  bad_event_type: is(
    400,
    'The value is no type of event.',
    'Write `bill.paid`, `bill.*` for all of bills, or `*` for all.',
  ),
  bad_external_id: is(400, 'The external id is not a text of 1 to 255 characters.', 'Send a shorter text, or null.'),
  bad_header: is(
    400,
    'The first line of the CSV does not name its columns.',
    'Have the first line name columns of the export, each once, with commas between them.',
  ),
  bad_http: is(
    400,
    'What arrived is not a well-formed HTTP request.',
    'Correct the client, or what stands between it and the server.',
  ),
  bad_id: is(
    400,
    'The path names a record in none of the forms that there are.',
    'Use the id, `ext:<external_id>` or `external_id:<external_id>`, percent-encoded.',
  ),
  bad_idempotency_key: is(
    400,
    'The Idempotency-Key is not 1 to 255 visible ASCII characters.',
    'Send a UUID, for example.',
  ),
  bad_image: is(400, 'The body is neither a PNG nor a JPEG picture.', 'Send the file of such a picture as it is.'),
  bad_key: is(
    400,
    'The name of a field cannot be kept, or is not a name that a field can have.',
    'Use another name, as the message says.',
  ),
  bad_name: is(400, 'The name is empty or too long.', 'Send a name of the length that the message gives.'),
  bad_password: is(400, 'The password cannot be used.', 'Choose another, as the message says.'),
  bad_path: is(
    400,
    'A path of fields cannot be read, or leads nowhere.',
    'Correct the path: fields with dots between them.',
  ),
  bad_prefix: is(
    400,
    'The prefix of the ids of a kind is not of the form that it must have.',
    'Send 1 to 10 capital letters and digits, a letter first.',
  ),
  bad_percent: is(
    400,
    'The percent is not a decimal number from 0 to 100 with up to 6 decimals.',
    'Send a text such as `"8.25"`.',
  ),
  bad_rate: is(
    400,
    'The exchange rate is not a decimal number above 0 with up to 10 decimals.',
    'Send a text such as `"1.0842"`.',
  ),
  bad_redirect_uri: is(
    400,
    'The redirect URI is not an https address, nor http on this machine.',
    'Register an https address without a fragment.',
  ),
  bad_reference: is(
    400,
    'The name of a record is not of the form `type:id`.',
    'Send the type and the id with a colon between them, such as `bill:01932b5e-…`.',
  ),
  bad_request: is(400, 'The request cannot be read.', 'Correct what the message names.'),
  bad_span: is(
    400,
    'The span of events to send again has no beginning, two, or an end before it.',
    'Send `after` or `from`, and a later `to`.',
  ),
  bad_state: is(
    400,
    'The sign-in was begun by another user, for another connection, or too long ago.',
    'Begin it again with `POST …/authorize`.',
  ),
  bad_text: is(400, 'A text contains characters that cannot be kept or found.', 'Remove them: the message says which.'),
  bad_url: is(400, 'The address cannot be read.', 'Percent-encode the parts of the path, and keep them short.'),
  bad_uuid: is(400, 'The value is not a UUID.', 'Send the id as it was answered.'),
  bad_webhook_url: is(
    400,
    'The address of the webhook is not an http or https address, or has a password or a fragment.',
    'Send an address such as `https://hooks.example.com/lading`.',
  ),
  bank_details_incomplete: is(
    400,
    'The bank details do not suffice for this way of paying.',
    'Send the fields that the message names.',
  ),
  bank_keys_missing: is(
    409,
    'This server lacks the key that bank details and secrets of connections are encrypted with.',
    'Have its operator set BANK_DETAILS_KEYS.',
  ),
  below_amount_paid: is(
    409,
    'The total would be less than what was paid already.',
    'Void a payment first, or keep the total.',
  ),
  bill_has_changed: is(409, 'The bill has changed since it was chosen for the payment run.', 'Take it out of the run.'),
  bill_not_shown: is(
    409,
    'Carriers see neither drafts nor voided bills, so such a bill has no signed link.',
    'Save the bill first.',
  ),
  billed: is(
    409,
    'A bill pays for the manifest, so this part of it is fixed.',
    'Delete that bill while it is a draft, or change the bill instead.',
  ),
  board_does_not_fit: is(
    409,
    'The definition of the kind has changed since the board was made.',
    'Change the board so that it fits the definition.',
  ),
  body_required: is(
    400,
    'The request has no body and needs one.',
    'Send a body, with the Content-Type that the message names.',
  ),
  body_too_large: is(413, 'The body is larger than the server takes.', 'Send less at a time.'),
  built_in: is(
    [400, 409],
    'What is built in can be added to, but not taken away.',
    'Keep the built-in part, or remove only what was added.',
  ),
  busy: is(503, 'Too many people are signing in at this moment.', 'Try again after the seconds in Retry-After.'),
  cannot_approve: is(
    400,
    'The role, or the role of the user, does not allow to approve.',
    'Name somebody whose role allows it; docs/roles.md says which do.',
  ),
  cannot_read: is([], 'The file cannot be read.', 'Correct its name or its rights.'),
  cannot_run: is([], 'The command cannot run as things are.', 'Do what the message says.'),
  cannot_write: is([], 'The file cannot be written.', 'Name another file, or correct the rights of its folder.'),
  columns_disagree: is(
    400,
    'Two columns that are forms of one value, such as `total_amount` and `total_amount_decimal`, say different things.',
    'Change both, or leave one of them out.',
  ),
  connection_in_use: is(409, 'Records were synced through the connection.', 'Disconnect it instead.'),
  content_deleted: is(
    409,
    'The mail held a secret, which was deleted once it was sent.',
    'Invite the user again, or ask for a new link.',
  ),
  content_is_secret: is(
    409,
    'The mail holds a secret, such as a link that lets somebody in.',
    'Nobody but its recipient sees it: send a new one where it was lost.',
  ),
  carrier_has_a_payee: is(409, 'The carrier has a payee already.', 'Change that payee instead.'),
  change_is_decided: is(409, 'The change was approved or rejected already.', 'Ask for another change.'),
  change_is_incomplete: is(
    409,
    'The change names a part of a payee that was never approved, and the rest would apply unseen.',
    'Reject it, and ask for it again: it has all of the payee then.',
  ),
  content_mismatch: is(
    415,
    'The content of a file is not of the type that its name, or the request, says.',
    'Send it under its own type, with the end of the name that files of this type have.',
  ),
  contradiction: is(400, 'The same thing was sent twice, with different values.', 'Send it once.'),
  covered_by_credits: is(
    409,
    'What is set off comes to as much as the bills that would be left of the carrier.',
    'Take the set-off out of the run first.',
  ),
  currency_has_lines: is(
    409,
    'The document is saved and has lines in its currency.',
    'Make it a draft again, or remove its lines; then change the currency.',
  ),
  currency_is_fixed: is(
    409,
    'The currency of a document cannot change once it was sent.',
    'Make another document in the other currency.',
  ),
  currency_required: is(
    400,
    'A document needs a currency before it can be saved, and keeps one after.',
    'Set `currency_id`.',
  ),
  date_too_late: is(400, 'A due date would be beyond the year 9999.', 'Set an earlier date.'),
  definition_changed: is(
    409,
    'The definition of the kind was changed while its objects were exported.',
    'Make the export again.',
  ),
  discount_incomplete: is(400, 'The days and the percent of a discount come together.', 'Send both, or neither.'),
  documents_missing: is(
    409,
    'A rule asks for documents that are attached neither to the bill nor to its manifest.',
    'Attach the documents that `details` names, or change the rule.',
  ),
  does_not_fit: is(
    409,
    'The definition of the kind has changed, so that the object would not fit it.',
    'Change the definition, or make the object anew.',
  ),
  double_booked: is(
    409,
    'The equipment or the driver is taken by another manifest at the same time.',
    'Choose another, or another time; the message names the other manifest.',
  ),
  dry_run_not_possible: is(
    400,
    'The operation takes no dry run: its answer is what it does, such as a secret that is shown once.',
    'Send it without `Prefer: dry-run`.',
  ),
  duplicate_bill: is(
    409,
    'Another bill of the carrier has the number already, and the organization refuses duplicates.',
    'Change that bill, or send `allow_duplicate: true` where this is really another.',
  ),
  duplicate_key: is(400, 'A key comes twice in one object of the JSON.', 'Send it once.'),
  duplicate_row: is(
    409,
    'Another row of the request, or of the file, is about the same record.',
    'Send each record once.',
  ),
  duplicate_sequence: is(
    400,
    'Two stops have the same place on the way.',
    'Give each stop its own `sequence`, or leave it out.',
  ),
  emanifest_incomplete: is(
    409,
    'The e-manifest lacks something that customs asks for.',
    'Enter what `details` names, and validate it again.',
  ),
  empty_file: is(400, 'The file has no content.', 'Send a file with content.'),
  empty_period: is(400, 'The pay period ends before it begins.', 'Correct its start or its end.'),
  components_do_not_add_up: is(
    400,
    'The percents of the components of a tax do not come to its percent.',
    'Make the two equal, or leave out `percent`.',
  ),
  ends_before_it_starts: is(400, 'The last day is before the first one.', 'Correct `starts_on` or `ends_on`.'),
  exchange_rate_missing: is(
    [404, 409],
    'No exchange rate between the two currencies is known for that day.',
    'Add the rate for the day, or one in the other direction; where the organization has no home currency, set that.',
  ),
  external_id_is_fixed: is(
    409,
    'The external id of a record is set when it is created, and never after.',
    'Leave out `id` to mean another record, or keep its external id.',
  ),
  external_id_taken: is(
    409,
    'Another record has this external id already.',
    'Use another, or update the record that has it.',
  ),
  file_is_empty: is(
    409,
    'No payment of the payment run goes into this file.',
    'Download another file: the CSV file says which payment is in which.',
  ),
  no_payee: is(409, 'The carrier has no payee, so a payment run leaves it out.', 'Make a payee for it.'),
  nothing_to_pay: is(
    409,
    'The deductions of the carrier come to as much as it is owed.',
    'Leave it out, or settle its bills by hand.',
  ),
  is_a_refund: is(409, 'The payment pays back another one, so it cannot be paid back itself.', 'Void it instead.'),
  before_payment: is(
    400,
    'The refund is dated before the day of the payment that it pays back.',
    'Send `paid_at` of that day or a later one, or leave it out.',
  ),
  not_the_whole: is(
    400,
    'The amount is not what is due of the statement, which is paid whole.',
    'Leave out `amount`, or pay the bills of the statement in part.',
  ),
  is_write_off: is(
    409,
    'The credit writes off an invoice, so it settles that invoice and nothing else.',
    'Take back the write-off: `POST /invoices/{invoiceID}/write_offs/{creditID}/void`, which voids the credit.',
  ),
  nothing_to_write_off: is(
    409,
    'The invoice is a draft, is voided, or owes nothing.',
    'Choose an invoice of which something is due.',
  ),
  invited_by_mail: is(
    400,
    'There is a mail server, so who is invited chooses their own password.',
    'Leave `password` out: they are mailed a link.',
  ),
  new_approver: is(
    403,
    'Who joined, or got a role that approves, a few days ago decides nothing about where money goes.',
    'Have somebody decide who has been there for longer, or wait.',
  ),
  only_deductions: is(
    409,
    'The allocations come to less than 0: documents that reduce a payment need others of at least as much.',
    'Name those as well.',
  ),
  no_money_moves: is(
    409,
    'What is paid comes to 0 or less, so no money moves by a method.',
    'Leave out "method": it is recorded.',
  ),
  has_deductions: is(
    409,
    'The payment settles documents that reduce it, so none can be taken out alone.',
    'Void the payment instead.',
  ),
  has_number: is(
    409,
    'The document was saved once and has a number, which must not disappear.',
    'Void it instead, with a reason.',
  ),
  has_payments: is(
    409,
    'Something of the document is paid, which fixes this.',
    'Void its payments first, or reopen it.',
  ),
  headers_too_large: is(
    431,
    'The address and the header fields are larger than 16 KiB together.',
    'Send fewer or shorter ones.',
  ),
  home_currency_required: is(
    400,
    'Exchange rates can be required only in an organization with a home currency.',
    'Set `home_currency_id` with it, or before it.',
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
  image_too_large: is(
    400,
    'The picture has more pixels than a logo may have.',
    'Make it smaller: the message says how small.',
  ),
  in_payment_run: is(409, 'The payment is part of a payment run.', 'Change the run instead, or return the payment.'),
  in_the_future: is(
    400,
    'The time of something that is said to have happened is still to come.',
    'Correct the time, or the clock of the device.',
  ),
  in_use: is(409, 'Other records use it, so it cannot be deleted.', 'Change those that use it first.'),
  incomplete: is(
    409,
    'The message of the carrier invoice did not say all that an audit needs.',
    'Enter the fields that `missing_fields` names, or send that list without them.',
  ),
  inexact_number: is(
    400,
    'A number has more digits than can be kept exactly.',
    'Send it as a text, or with fewer digits.',
  ),
  insufficient_scope: is(
    403,
    'The access token lacks a scope that the operation needs.',
    'Get a token with the scope in `details[].allowed`.',
  ),
  internal_error: is(
    500,
    'Something went wrong on our side; it is in the log.',
    'Try again; if it stays, report the request id.',
  ),
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
  invalid_status_transition: is(
    400,
    'The record cannot go from its state to the one asked for.',
    'Ask for one of the states in `details[].allowed`.',
  ),
  invalid_token: is(401, 'The access token is malformed, expired or revoked.', 'Get a new one.'),
  invoice_sent_before: is(
    409,
    'The carrier has sent an invoice with this number before.',
    'Give another invoice its own number.',
  ),
  invoiced: is(
    409,
    'An invoice charges for the order, so there is no second one, and this part of the order is fixed.',
    'Delete that invoice while it is a draft, or change the invoice instead.',
  ),
  is_decided: is(
    409,
    'What is paid of the carrier invoice is decided, so it stays as it is.',
    'Change the bill that was made of it, or reject it and enter another.',
  ),
  is_draft: is(
    409,
    'A draft that was never saved cannot be voided, and no draft can be repriced or approved.',
    'Delete it, or save it first.',
  ),
  is_paid: is(409, 'The record is paid, so its content is fixed.', 'Reopen it first, with a reason.'),
  is_voided: is(409, 'The document was voided, so it cannot change any more.', 'Make another one in its place.'),
  key_mismatch: is(400, 'The key of a connector mapping is not its `connector_id`.', 'Make the two equal.'),
  kind_in_use: is(409, 'There are objects of the kind, or fields that refer to it.', 'Delete those first.'),
  last_attachment: is(
    409,
    'The document is attached to nothing else, so it would be deleted.',
    'Attach it to another record, or delete it.',
  ),
  last_admin: is(409, 'The user is the last admin of the organization.', 'Make someone else an admin first.'),
  last_bill: is(
    409,
    'It is the last bill of a statement that is no draft.',
    'Add another bill first, or void the statement.',
  ),
  later_stop_reported: is(
    409,
    'A stop behind the one whose report is taken back was departed from.',
    'Undo the reports that `details` names first, in that order.',
  ),
  link_expired: is(410, 'The signed link has expired.', 'Ask whoever sent it for a new one.'),
  link_gone: is(
    410,
    'The signed link has expired or was revoked while it was open.',
    'Ask whoever sent it for a new one.',
  ),
  link_limited: is(
    409,
    'The signed link is for a bill, and what was asked for needs a manifest.',
    'Sign in, or use the link of the manifest.',
  ),
  link_revoked: is(410, 'The signed link was revoked.', 'Ask whoever sent it for a new one.'),
  malformed_csv: is(400, 'The CSV cannot be read to its end.', 'Correct the line that the message names.'),
  malformed_form: is(
    400,
    'The body is no form that can be read.',
    'Send `multipart/form-data` with its boundary; most HTTP libraries do so by themselves.',
  ),
  malformed_filter: is(400, 'A part of the filter is no condition.', 'Send one of the forms that the message gives.'),
  malformed_json: is(400, 'The body, or a value that is JSON, cannot be read as JSON.', 'Correct the text.'),
  malformed_xml: is(
    400,
    'The XML is not laid out as the file of the European Central Bank.',
    'Send its file of reference rates, or a CSV.',
  ),
  manifest_closed: is(
    409,
    'The manifest is cancelled or inactive, so nothing is reported of it.',
    'Change its status first.',
  ),
  manifest_taken: is(409, 'The manifest has a carrier already.', 'Nothing is to be done: another carrier was first.'),
  masked_value: is(400, 'The bank details hold masked values.', 'Send all of the details, or leave the field out.'),
  method_not_allowed: is(
    405,
    'The path is there, but not for this method.',
    'Use one of the methods in the header Allow.',
  ),
  missing: is(409, 'Objects lack a value that is to become required.', 'Give them one first.'),
  more_than_due: is(409, 'More would be paid than is due.', 'Send no more than `amount_due`.'),
  more_than_payment: is(
    409,
    'More would be allocated or paid back than is left of the payment.',
    'Allocate or pay back no more than `unallocated_amount`.',
  ),
  move_not_allowed: is(
    409,
    'The manifest cannot be moved to this state now.',
    'Move it to one of the states in `details[].allowed`, or report its stops.',
  ),
  name_taken: is(409, 'Another record has this name already.', 'Use another name.'),
  needs_pkce: is(
    400,
    'A public application always needs PKCE.',
    'Leave `require_pkce` true, or make the application confidential.',
  ),
  needs_secret: is(
    400,
    'A public application has no secret, which this flow needs.',
    'Make the application confidential, or leave out the flow.',
  ),
  needs_sign_in: is(409, 'Nobody is signed in to the accounting system.', 'Have an admin connect it again.'),
  no_bills: is(409, 'A statement without bills cannot be saved.', 'Add a bill first.'),
  no_carrier: is(
    409,
    'The manifest or bill has no partner carrier, so there is nobody to pay or to show it to.',
    'Set its partner carrier first.',
  ),
  no_carrier_of_user: is(
    403,
    'The user belongs to no carrier any more.',
    'Ask the organization that sent the invitation.',
  ),
  no_currency: is(409, 'Neither the manifest or order nor its carrier or customer has a currency.', 'Set one first.'),
  no_customer: is(409, 'The customer of the order is gone, so there is nobody to invoice.', 'Set its customer first.'),
  no_organization: is([], 'There is no organization yet.', 'Make one with `lading org create`.'),
  no_secret: is(400, 'A public application has no secret to rotate.', 'Make the application confidential first.'),
  no_such_link: is(404, 'There is no signed link with this secret.', 'Open the link exactly as it was sent.'),
  no_such_organization: is(
    403,
    'The organization of the access token does not exist any more.',
    'Sign in to another organization.',
  ),
  no_such_path: is(404, 'There is nothing at this address.', 'Look the path up in the reference at `/docs`.'),
  not_a_draft: is(409, 'Only drafts can be deleted.', 'Leave it, or make it a draft again where that is possible.'),
  not_a_partner: is(
    400,
    'A user has a carrier, but not the role partner.',
    'Leave `partner_carrier_id` out, or send the role `partner`.',
  ),
  not_acceptable: is(
    406,
    'The header Accept rules out every form in which this is answered.',
    'Accept one of the forms that the message names.',
  ),
  not_all_lines: is(
    400,
    'The order of the lines does not name every line exactly once.',
    'Send the ids of all lines, each once.',
  ),
  not_an_approver: is(
    403,
    'The rules about the bill name other approvers.',
    'Have one of them approve it; `GET /bills/{billID}/approvals` names them.',
  ),
  not_applicable: is(409, 'The credit is a draft, voided, or less than nothing.', 'Save it first, or make another.'),
  not_approved: is(
    409,
    'The bill has to be approved before it is paid, and is not, as it is now.',
    'Have it approved.',
  ),
  not_assigned: is(
    409,
    'The manifest is offered to the carrier, and not the carrier’s yet.',
    'Accept the tender first.',
  ),
  not_audited: is(
    409,
    'The carrier invoice has not been audited since it, or what was agreed, was last changed.',
    'Audit it first.',
  ),
  not_deleted: is(409, 'The object is not deleted, so there is nothing to restore.', 'Read it: it is there.'),
  not_for_deleted: is(400, 'Deleted objects cannot be found by this.', 'Use one of the fields that the message names.'),
  not_for_a_type: is(
    400,
    'A policy for a type of lines cannot approve invoices by itself.',
    'Set `approve_automatically` on the policy of the carrier, or of all.',
  ),
  not_found: is(
    404,
    'There is no such record in this organization.',
    'Check the id, and the organization of the token.',
  ),
  not_gatherable: is(
    409,
    'A bill cannot go on this statement.',
    'Leave out the bills that `details` names, or change what stands against them.',
  ),
  not_issued: is(
    409,
    'The payment is not in a state in which this can be done.',
    'Issue it first, or delete it where it is a draft.',
  ),
  not_mappable: is(
    400,
    'The accounting system has no mappings of this kind.',
    'Send one of the kinds in `details[].allowed`.',
  ),
  not_of_a_carrier: is(
    400,
    'Only the payee of a carrier can be assigned to a factoring company.',
    'Leave out `factor_payee_id`.',
  ),
  not_online: is(
    409,
    'The connection makes files: there is nothing to sign in to or to ask.',
    'Start a sync, and download its file.',
  ),
  not_payable: is(
    409,
    'A document cannot be settled by this payment.',
    'Leave out the documents that `details` names: they are drafts, voided, or of another currency or party.',
  ),
  not_possible: is(
    400,
    'The field cannot have this property with its type.',
    'Leave the property out, or choose another type.',
  ),
  not_reported: is(
    409,
    'Nothing was reported of the stop, so there is nothing to undo.',
    'Read the manifest: its stops have the times that were reported.',
  ),
  not_sent: is(
    409,
    'The mail was not handed to a mail server, so it cannot have come back.',
    'Report mails that are `sent`.',
  ),
  not_short: is(
    409,
    'What would be paid is not less than the carrier invoice asks for.',
    'Send a smaller `amount`, or accept the invoice.',
  ),
  not_sortable: is(400, 'The field has parts, which have no order together.', 'Name one of its parts.'),
  not_utf8: is(400, 'The body is not UTF-8.', 'Save the file as UTF-8.'),
  nothing_agreed: is(
    409,
    'Nothing that the carrier invoice asks for was agreed, so what is paid does not follow from it.',
    'Send the `amount` that is paid, or reject the invoice.',
  ),
  nothing_due: is(
    409,
    'Nothing is due that a payment run could pay.',
    'Do what the message advises: choose a later day, make payees, have changes of payees or bills approved.',
  ),
  nothing_failed: is(409, 'Nothing of the sync failed.', 'Start another sync.'),
  nothing_to_bill: is(409, 'The manifest has no payment items.', 'Give it some first.'),
  nothing_to_gather: is(
    409,
    'The payee has no bills in that period that could go on a statement.',
    'Choose another period, or name the bills.',
  ),
  nothing_to_invoice: is(409, 'The order has neither a rate nor charges.', 'Give it some first.'),
  nothing_to_sync: is(
    400,
    'The accounting system does not take this across.',
    'Send one of the values in `details[].allowed`.',
  ),
  not_the_stops: is(
    400,
    'The list does not name every stop of the manifest exactly once.',
    'Read the manifest again, and send the ids of all stops, each once.',
  ),
  notice_required: is(
    400,
    'An assignment and the day of its notice come together.',
    'Send both `factor_payee_id` and `notice_of_assignment_on`, or neither.',
  ),
  object_key_taken: is(409, 'There is a kind of this key already.', 'Use another key, or change that kind.'),
  on_a_statement: is(409, 'The bill is on a statement, which fixes this.', 'Take it off the statement first.'),
  one_file_required: is(
    400,
    'The form has no file, more than one, or too many fields.',
    'Send one file in each request.',
  ),
  order_closed: is(
    409,
    'The order is delivered, invoiced, cancelled or inactive, so it cannot be planned.',
    'Change its status first.',
  ),
  order_planned: is(
    409,
    'Another manifest carries the order already.',
    'Take it off there first; the message names the manifest.',
  ),
  one_record: is(400, 'A signed link names no record, or two.', 'Send `manifest_id` or `bill_id`.'),
  org_required: is([], 'There are several organizations.', 'Say which with `--org`.'),
  organization_busy: is(
    429,
    'The organization has as many requests, searches, bulk requests, imports or papers under way as one may have at once.',
    'Wait for the seconds in Retry-After, then send fewer at the same time.',
  ),
  other_carrier: is(400, 'The record is another carrier’s.', 'Name the carrier of the record, or leave it out.'),
  other_currency: is(
    400,
    'The rate is in another currency than the tender.',
    'Name the rate in the currency of the tender.',
  ),
  outdated: is(409, 'The orders on the manifest have changed at the same moment.', 'Read it again.'),
  outbound_off: is(
    409,
    'The server is a copy that sends nothing to anybody.',
    'Do it on the server that it is a copy of.',
  ),
  other_company: is(
    409,
    'The sign-in was to another company than the one that the connection belongs to.',
    'Sign in to that company.',
  ),
  own_entry: is(
    403,
    'The caller entered or changed the record, and the organization forbids to approve one’s own.',
    'Have somebody else approve it.',
  ),
  own_stops: is(
    409,
    'The organization has a field of its own called `stops`, which counts instead of the built-in one.',
    'Remove that field from the definition first.',
  ),
  paid_by_payments: is(
    409,
    'The document is paid by payments that reopening does not undo.',
    'Void the payments that `details` names.',
  ),
  partner_carrier_required: is(400, 'A user with the role partner has no carrier.', 'Send `partner_carrier_id`.'),
  party_required: is(
    400,
    'The payment names nobody, or two, who pay or are paid.',
    'Send either `partner_carrier_id` or `customer_id`.',
  ),
  payee_change_waiting: is(
    409,
    'A change of where the money goes waits for a second person.',
    'Have it approved or rejected first.',
  ),
  payee_in_use: is(409, 'Payments or assignments refer to the payee.', 'Keep it, or end the assignments first.'),
  paying_account_missing: is(
    409,
    'The file has to name an account from which it is paid, and there is none.',
    'Set a paying account in the currency of the run.',
  ),
  payment_is_issued: is(409, 'What an issued payment pays is fixed.', 'Void it, and make another.'),
  payment_is_voided: is(409, 'The payment is voided.', 'Make another.'),
  period_closed: is(
    409,
    'The record is dated in an accounting period that is closed.',
    'Use a date in an open period, or have the period reopened.',
  ),
  period_is_closed: is(409, 'A closed period cannot be deleted.', 'Reopen it first, with a reason.'),
  periods_overlap: is(409, 'Another accounting period has some of the same days.', 'Choose other days.'),
  policy_taken: is(409, 'There is an audit policy for this carrier and this type already.', 'Change that policy.'),
  person_required: is(403, 'An application that acts for itself cannot decide this.', 'Have a person decide it.'),
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
  quick_pay_incomplete: is(400, 'The days and the percent of quick pay come together.', 'Send both, or neither.'),
  rate_limited: is(
    429,
    'The token or the organization has made as many requests as it may in a minute.',
    'Wait for the seconds in Retry-After, then go on more slowly.',
  ),
  rate_required: is(
    409,
    'The tender asks the carrier for a rate, so it cannot be accepted as it is.',
    'Counter it with a rate.',
  ),
  rates_overlap: is(
    409,
    'Another rate of the two currencies holds on some of the same days.',
    'Change its days first, or update it.',
  ),
  read_only: is(
    [200, 400],
    'The field is set by the server, or cannot change. In `errors` of an answer in v2: it was ignored.',
    'Leave it out.',
  ),
  read_only_token: is(
    403,
    'The application of the access token may only read, and the operation writes.',
    'Use another application, or have an admin change its `access`.',
  ),
  reason_required: is(400, 'Reopening what is paid needs a reason.', 'Send `reason` with a few words.'),
  reference_is_gone: is(
    409,
    'Something that the object refers to is gone, so it cannot come back as it was.',
    'Restore that first.',
  ),
  referenced: is(
    409,
    'Other objects refer to it, so it cannot be deleted.',
    'Change or delete those that `details` counts first.',
  ),
  refunded: is(409, 'The payment was paid back, wholly or in part.', 'Void the refund that the message names first.'),
  refused_there: is(
    409,
    'The accounting system refused the request; the message is its own.',
    'Do what the message says, there or here.',
  ),
  removed_field: is(
    200,
    'The field was removed from the kind. In `errors` of an answer in v2: it was ignored.',
    'Leave it out, or add the field to the definition again.',
  ),
  repeated: is(400, 'What can be sent once was sent more than once.', 'Send it once.'),
  request_timeout: is(408, 'The request took too long to arrive.', 'Send it again, in one go.'),
  required: is(400, 'A value that is needed is missing.', 'Send it.'),
  reserved: is(400, 'The name of the field has a meaning of its own.', 'Use another name.'),
  right_required: is(
    403,
    'The role of the user does not allow the operation; docs/roles.md says which roles do.',
    'Have somebody with such a role do it.',
  ),
  rows_differ: is(
    400,
    'Two rows of the same invoice say different things of it.',
    'Correct the rows, or leave the column empty in all but the first.',
  ),
  run_is_empty: is(409, 'Every bill was taken out of the payment run.', 'Delete the run.'),
  run_is_issued: is(
    409,
    'The payment run is issued, so it does not change any more.',
    'Return a payment that came back.',
  ),
  run_not_approved: is(409, 'The payment run is not approved.', 'Have another person approve it.'),
  run_not_issued: is(409, 'The payment run is not issued yet.', 'Have it approved, then issue it.'),
  run_out_of_date: is(
    409,
    'Bills, or what is set off, have changed since they were chosen for the payment run.',
    'Take them out of the run.',
  ),
  same_currency: is(400, 'An exchange rate is between two currencies, and both are the same.', 'Send two currencies.'),
  same_file: is(
    [],
    'The report would be written over the file that is imported.',
    'Name another file with `--report`.',
  ),
  same_user: is(400, 'Approvals are delegated to the user who has them already.', 'Name another user.'),
  search_too_slow: is(
    400,
    'The search takes longer than a search may.',
    'Narrow it with conditions that fewer records fit, search for words of three letters or more, or export what you look for.',
  ),
  second_person_required: is(403, 'Who asked for this cannot approve it.', 'Have another person approve it.'),
  separate_payer: is(
    403,
    'The caller entered or approved the bill, and the organization has somebody else pay it.',
    'Have somebody else pay it.',
  ),
  set_off_has_changed: is(
    [],
    'Less is left of a credit or an earlier payment than the payment run sets off.',
    'Take the set-off out of the run.',
  ),
  several_currencies: is(
    400,
    'The payee is owed in several currencies, and a statement has one.',
    'Name one of those in `details[].allowed` with `currency_id`.',
  ),
  several_drafts: is(
    409,
    'Drafts were made from several manifests of the carrier invoice, which gets one bill.',
    'Delete the drafts that the message names, and approve it again.',
  ),
  sign_in_failed: is(
    409,
    'The accounting system did not accept the sign-in.',
    'Begin it again; check the application and its redirect URI.',
  ),
  stale: is(
    412,
    'The record was changed meanwhile, so If-Match does not hold.',
    'Read it again and repeat the change.',
  ),
  statement_is_paid: is(409, 'The bill was paid with its statement.', 'Reopen the statement first.'),
  status_in_use: is(409, 'Objects are in the state that is to be taken away.', 'Change those first.'),
  stop_departed: is(409, 'The stop was departed from.', 'Undo its report first.'),
  stop_open: is(
    409,
    'The stop was not departed from.',
    'Report its departure, or undo the report of the stop after it.',
  ),
  stops_open: is(
    409,
    'Stops before the one that is reported were not departed from.',
    'Report those that `details` names first, or send `skip_stops: true` where they are really passed over.',
  ),
  stop_reported: is(
    409,
    'A stop was reported already, so it stays where it is, and its order on the manifest.',
    'Undo the report first.',
  ),
  still_queued: is(
    [],
    'A mail that came back from one address is still being sent to others.',
    'Nothing is to be done: the report is taken later.',
  ),
  sync_is_over: is(409, 'The sync has ended already.', 'Nothing is to be done.'),
  sync_is_running: is(409, 'The sync is still running.', 'Wait until it has ended.'),
  taken: is(
    [400, 409],
    'Another record, or another entry, has this value already, and it is unique.',
    'Use another value.',
  ),
  storage_full: is(
    413,
    'The files that are kept, or were sent with the link, have as many bytes as may be.',
    'Delete documents that are not needed; the message says who can give more room.',
  ),
  tax_rate_in_use: is(
    409,
    'Lines carry the tax rate, so its percent and components are fixed.',
    'Make another rate, and set `active` of this one to false.',
  ),
  tax_rate_inactive: is(
    409,
    'The tax rate is not active, so no line can be given it.',
    'Use another, or set its `active` to true.',
  ),
  tax_is_off: is(400, 'A document has no tax while `is_tax_on` is false.', 'Send `is_tax_on: true` with the tax.'),
  tender_closed: is(
    409,
    'The tender is in a state in which this cannot be done.',
    'See `allowed` for the states in which it can.',
  ),
  tender_expired: is(409, 'The time of the tender is over.', 'Ask for a new one.'),
  tender_open: is(
    409,
    'The manifest is offered to this carrier already.',
    'Cancel that tender first, or wait for its answer.',
  ),
  token_required: is(
    401,
    'The request has no access token.',
    'Send the header `Authorization: Bearer <access token>`.',
  ),
  too_complex: is(
    400,
    'The filter has too many conditions within each other.',
    'Nest them less, or ask for parts of it one by one.',
  ),
  too_many_positions: is(
    409,
    'The manifest has as many positions as one may have, or the organization has recorded as many as it may in a day.',
    'Send fewer, such as one a minute.',
  ),
  too_many_files: is(
    409,
    'As many files are kept, or were sent with the link, as may be.',
    'Delete documents that are not needed; the message says who can give more room.',
  ),
  too_costly_to_draw: is(
    413,
    'Drawing the PDF takes too long, or too much memory.',
    'Read the record as JSON or CSV, or split it into several.',
  ),
  too_costly_to_read: is(413, 'Reading what was sent takes too long, or too much memory.', 'Send it in smaller parts.'),
  too_deep: is(400, 'The body or the filter is nested too deep.', 'Nest it less.'),
  too_few_approvers: is(
    400,
    'Fewer people are named than have to approve.',
    'Name more people, or ask for fewer approvals.',
  ),
  too_large: is(400, 'The number is larger than the field takes.', 'Send a smaller one.'),
  too_long: is(400, 'The text is longer than the field takes.', 'Send a shorter one.'),
  too_many: is(400, 'The list has more entries than it can have.', 'Send fewer.'),
  too_many_addresses: is(
    400,
    'A mail would go to more addresses than one may.',
    'Send fewer addresses, or several mails.',
  ),
  too_many_attempts: is(429, 'There were too many failed attempts to sign in.', 'Wait for the seconds in Retry-After.'),
  too_many_columns: is(
    400,
    'The CSV has more columns than a file can have.',
    'Leave out the columns that are not needed.',
  ),
  too_many_event_streams: is(
    429,
    'As many streams of events are open as there can be.',
    'Close some, or read them with one stream and hand on what comes.',
  ),
  too_many_kinds: is(409, 'The organization has as many kinds as it can have.', 'Delete one first.'),
  too_many_lines: is(409, 'The document has as many lines as it can have.', 'Make another document for the rest.'),
  too_many_rows: is(
    413,
    'There are more rows than are done while the caller waits.',
    'Import or export in the background instead, as the message says.',
  ),
  too_many_streams: is(
    429,
    'As many exports are under way as the organization, or the server, may have at once.',
    'Try again after the seconds in Retry-After.',
  ),
  too_many_transfers: is(
    429,
    'As many imports and exports of the organization are waiting or running as it can have.',
    'Wait for one to end, or cancel one.',
  ),
  too_short: is(400, 'The text is shorter than the field asks for.', 'Send a longer one.'),
  too_small: is(400, 'The number is smaller than the field takes.', 'Send a larger one.'),
  transfer_has_ended: is(
    409,
    'The import or export has ended, so it cannot be cancelled.',
    'Leave it: what it wrote stays.',
  ),
  transfer_has_no_result: is(
    409,
    'The import or export is not done, or was ended early.',
    'Wait until it is done, or make it again.',
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
  two_kinds_of_approvers: is(400, 'The approvers are named both by user and by role.', 'Send one of the two.'),
  undo_over: is(
    409,
    'A carrier takes back what it reported of a stop itself, for ten minutes, unless somebody has changed it since.',
    'Ask the organization to correct the stop.',
  ),
  unavailable: is(
    503,
    'The database is away, cannot do it at the moment (its disk is full, it takes too long, somebody else holds a lock), or too much happens at once.',
    'Try again after the seconds in Retry-After, a write with the same Idempotency-Key.',
  ),
  unknown_bill: is(400, 'There is no bill of this id in the organization.', 'Check the id.'),
  unknown_bill_item_type: is(
    [400, 409],
    'There is no such bill item type in the organization.',
    'Make it, or use one that is there.',
  ),
  unknown_carrier: is(400, 'There is no carrier that is called so.', 'Send its id, external id, SCAC or name.'),
  unknown_column: is(
    400,
    'The file has a column that means nothing here, and strict handling was asked for.',
    'Remove the column, or leave out `Prefer: handling=strict`.',
  ),
  unknown_connector: is(400, 'There is no such connector.', 'Send one of `GET /connectors`.'),
  unknown_credit: is(400, 'There is no credit of this id in the organization.', 'Check the id.'),
  unknown_currency: is(
    400,
    'The value is not the code of an ISO 4217 currency.',
    'Send a code such as `usd`; `GET /currencies` lists them.',
  ),
  unknown_document: is(400, 'There is no such document in the organization.', 'Upload it first, or correct the id.'),
  unknown_event_type: is(
    400,
    'There is no such type of event, so nothing would be sent.',
    'Use one of `details[].allowed`, or of the section `webhooks` of the OpenAPI document.',
  ),
  unknown_factor: is(400, 'There is no payee of a factoring company with this id.', 'Correct `factor_payee_id`.'),
  unknown_field: is(
    400,
    'There is no such field: in strict handling, in a filter, or in an order.',
    'Correct its name, or leave it out.',
  ),
  unknown_interchange: is(
    404,
    'No e-manifest was filed with this control number or trip number.',
    'Send the acknowledgement to the organization that filed it.',
  ),
  unknown_invoice: is(400, 'There is no invoice of this id in the organization.', 'Check the id.'),
  unknown_line: is(400, 'The document has no line of this id.', 'Leave out the id to add a line, or correct it.'),
  unknown_mail: is(
    [],
    'The report is about a mail that this server has not sent.',
    'Look whether it belongs to another installation.',
  ),
  unknown_manifest: is(400, 'There is no such manifest in the organization.', 'Send the id of a manifest.'),
  unknown_object_key: is(
    400,
    'There is no such kind of object in the organization.',
    'Use one that `GET /definitions` lists.',
  ),
  unknown_op: is(400, 'The field cannot be compared in this way.', 'Use one of the operators in `details[].allowed`.'),
  unknown_parameter: is(
    400,
    'There is no such query parameter, and strict handling was asked for.',
    'Correct its name, or leave it out.',
  ),
  unknown_partner_carrier: is(
    400,
    'There is no such partner carrier in the organization.',
    'Send the id of one that there is.',
  ),
  unknown_pay_term: is(400, 'There is no such pay term in the organization.', 'Use one that `GET /pay_terms` lists.'),
  unknown_record: is(
    400,
    'A record that the request names, to attach, map or sync it, is not there.',
    'Correct its type or its id.',
  ),
  unknown_reference: is(
    400,
    'The object that a reference names is not there.',
    'Make it first, or correct the reference.',
  ),
  unknown_setting: is(400, 'The connector has no such setting or secret.', 'Send those that `GET /connectors` names.'),
  unknown_tax_rate: is(400, 'There is no such tax rate in the organization.', 'Use one that `GET /tax_rates` lists.'),
  unknown_time_zone: is(
    400,
    'The value is not the name of a time zone.',
    'Send a name of the IANA database, such as `America/New_York`.',
  ),
  unknown_user: is(400, 'There is no enabled user with this id in the organization.', 'Take the id from `GET /users`.'),
  unknown_value: is(400, 'The value is none of those that are allowed.', 'Send one of those in `details[].allowed`.'),
  unreadable_mail: is([], 'The file is no mail that can be read.', 'Save the mail as it came, with its headers.'),
  unreadable_report: is(
    [],
    'The message is no report of a mail that came back.',
    'Nothing is to be done: somebody may have answered by hand.',
  ),
  unreadable_row: is(
    400,
    'A row next to those of the invoice cannot be read, and may be part of it.',
    'Correct that row.',
  ),
  unsupported_media_type: is(
    415,
    'The body is in a form that the operation does not take.',
    'Send the Content-Type that the message names.',
  ),
  unusable_items: is(
    409,
    'The payment items or charges are not in the form that they have in every organization, so nothing can be made from them.',
    'Write them anew.',
  ),
  usage: is([], 'The command line is wrong.', 'See the help that the error names.'),
  user_exists: is(409, 'The person is a user of the organization already.', 'Change that user instead.'),
  value_taken: is(409, 'Another object has a value that must be unique.', 'Use another value.'),
  values_are_missing: is(409, 'Objects have no value in a field that is to become required.', 'Give them one first.'),
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
  webhook_disabled: is(409, 'The webhook is disabled, so nothing is sent to it.', 'Enable it first.'),
  wrong_document: is(
    400,
    'The allocation names no document, several, or one that such a payment does not settle.',
    'Name one document by the field in `details[].allowed`.',
  ),
  wrong_kind: is(400, 'The object is of another kind than the row says.', 'Correct `objectKey`, or leave it out.'),
  wrong_number_of_cells: is(
    400,
    'The row has more or fewer cells than the header has columns.',
    'Correct the row; a comma in a cell needs quotation marks around it.',
  ),
  wrong_order: is(
    400,
    'A time is before one that comes first: a window ends before it begins, or a departure is before the arrival.',
    'Correct the times.',
  ),
  wrong_party: is(
    400,
    'A credit has a partner or a customer that does not fit its direction.',
    'Name the party that the message says, and leave out the other.',
  ),
  wrong_password: is(400, 'The password is wrong.', 'Try again, or have it set anew.'),
  wrong_sign: is(400, 'The amount has the wrong sign, or is 0.', 'Send an amount with the sign of what is due.'),
  wrong_state: is(
    409,
    'The record is not in a state in which this can be done.',
    'See `allowed` for the states in which it can.',
  ),
  wrong_type: is(
    400,
    'The value is of another type than the field.',
    'Send a value of the type that the message names.',
  ),
} as const satisfies Record<string, ErrorCode>

export const errorCodeNames = Object.keys(errorCodes).sort()

/** The page that lists them all. */
export function errorPage(): string {
  const rows = Object.entries(errorCodes).sort(([one], [other]) => (one < other ? -1 : 1))
  return `# Errors

<!-- Generated by npm run generate from server/src/platform/http/edge/error-codes.ts: change it there. -->

Every refusal says what is wrong, where, and what to do. In v1 its body is \`{ error_code, error_message, details: [{ field, code, message, allowed? }], request_id, doc_url }\`, in v2 the same facts are \`{ statusCode, error, message, code, details, requestId, docUrl }\`. The endpoints under \`/oauth2\` answer in the form of RFC 6749 instead.

- Programs decide by the code. The messages are for people, and may be worded better in a later version.
- \`details\` has an entry for each field that is wrong. Where there is one, its code is that of the whole refusal; where there are several, that is \`invalid_request\`.
- A row of a bulk request or of an import that fails has the same codes in its \`error\`; the answer as a whole is 200 then.
- More codes may come with later versions. Treat one that you do not know by the status of the answer.
- A 503 of a write says in \`outcome\` what became of it: \`not_written\`, nothing was saved; \`unknown\`, the connection to the database was lost while it was being saved, or after a part of it was. Send the same request again with the same \`Idempotency-Key\`: what was saved is answered again, what was not is done. Without a key, look before you send it again. A 503 without \`outcome\` may come from what stands between you and the server: treat it as \`unknown\`.
- \`doc_url\`, in v2 \`docUrl\`, is the address at which the code is explained: the line of this page. The header \`Link\` has it too, with \`rel="help"\`.
- \`request_id\`, also in the header \`X-Request-Id\`, finds the request in the log of the server.

| code | status | what it means | what to do |
|---|---|---|---|
${rows.map(([code, { statuses, meaning, remedy }]) => `| \`${code}\` | ${statuses.length > 0 ? statuses.join(', ') : 'command line'} | ${meaning} | ${remedy} |`).join('\n')}
`
}
