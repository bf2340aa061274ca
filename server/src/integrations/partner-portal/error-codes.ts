import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const partnerPortalCodes: ErrorCodes = {
  bill_not_shown: is(
    409,
    'Carriers see neither drafts nor voided bills, so such a bill has no signed link.',
    'Save the bill first.',
  ),
  invoice_sent_before: is(
    409,
    'The carrier has sent an invoice with this number before.',
    'Give another invoice its own number.',
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
  manifest_taken: is(409, 'The manifest has a carrier already.', 'Nothing is to be done: another carrier was first.'),
  no_carrier_of_user: is(
    403,
    'The user belongs to no carrier any more.',
    'Ask the organization that sent the invitation.',
  ),
  no_such_link: is(404, 'There is no signed link with this secret.', 'Open the link exactly as it was sent.'),
  not_assigned: is(
    409,
    'The manifest is offered to the carrier, and not the carrier’s yet.',
    'Accept the tender first.',
  ),
  one_record: is(400, 'A signed link names no record, or two.', 'Send `manifest_id` or `bill_id`.'),
  other_carrier: is(400, 'The record is another carrier’s.', 'Name the carrier of the record, or leave it out.'),
  other_currency: is(
    400,
    'The rate is in another currency than the tender.',
    'Name the rate in the currency of the tender.',
  ),
  rate_required: is(
    409,
    'The tender asks the carrier for a rate, so it cannot be accepted as it is.',
    'Counter it with a rate.',
  ),
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
  thread_is_full: is(
    409,
    'A carrier has 100 messages about a bill, and with those of the organization there are 200.',
    'Write a mail, or call.',
  ),
  undo_over: is(
    409,
    'A carrier takes back what it reported of a stop itself, for ten minutes, unless somebody has changed it since.',
    'Ask the organization to correct the stop.',
  ),
}
