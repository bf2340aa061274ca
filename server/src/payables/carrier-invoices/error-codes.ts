import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const carrierInvoiceCodes: ErrorCodes = {
  already_billed: is(
    409,
    'A bill pays for a manifest of the carrier invoice, and the audit of the invoice did not find that.',
    'Audit the invoice again and decide about what is found, or reject it; the message names the bill.',
  ),
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
  incomplete: is(
    409,
    'The message of the carrier invoice did not say all that an audit needs.',
    'Enter the fields that `missing_fields` names, or send that list without them.',
  ),
  is_decided: is(
    409,
    'What is paid of the carrier invoice is decided, so it stays as it is.',
    'Change the bill that was made of it, or reject it and enter another.',
  ),
  not_audited: is(
    409,
    'The carrier invoice has not been audited since it, or what was agreed, was last changed.',
    'Audit it first.',
  ),
  not_short: is(
    409,
    'What would be paid is not less than the carrier invoice asks for.',
    'Send a smaller `amount`, or accept the invoice.',
  ),
  nothing_agreed: is(
    409,
    'Nothing that the carrier invoice asks for was agreed, so what is paid does not follow from it.',
    'Send the `amount` that is paid, or reject the invoice.',
  ),
  several_drafts: is(
    409,
    'Drafts were made from several manifests of the carrier invoice, which gets one bill.',
    'Delete the drafts that the message names, and approve it again.',
  ),
  unknown_manifest: is(400, 'There is no such manifest in the organization.', 'Send the id of a manifest.'),
}
