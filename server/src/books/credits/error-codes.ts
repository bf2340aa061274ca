import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const creditCodes: ErrorCodes = {
  is_write_off: is(
    409,
    'The credit writes off an invoice, so it settles that invoice and nothing else.',
    'Take back the write-off: `POST /invoices/{invoiceID}/write_offs/{creditID}/void`, which voids the credit.',
  ),
  unknown_credit: is(400, 'There is no credit of this id in the organization.', 'Check the id.'),
  wrong_party: is(
    400,
    'A credit has a partner or a customer that does not fit its direction.',
    'Name the party that the message says, and leave out the other.',
  ),
}
