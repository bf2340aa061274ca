import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const arrivalCodes: ErrorCodes = {
  ambiguous_carrier: is(400, 'Several carriers are called so.', 'Send the id of the one that is meant.'),
  automatic_reply: is(
    [],
    'The mail is an automatic reply or a report of a mail server.',
    'Nothing is to be done: it is no invoice.',
  ),
  rows_differ: is(
    400,
    'Two rows of the same invoice say different things of it.',
    'Correct the rows, or leave the column empty in all but the first.',
  ),
  unknown_carrier: is(400, 'There is no carrier that is called so.', 'Send its id, external id, SCAC or name.'),
  unreadable_mail: is([], 'The file is no mail that can be read.', 'Save the mail as it came, with its headers.'),
  unreadable_row: is(
    400,
    'A row next to those of the invoice cannot be read, and may be part of it.',
    'Correct that row.',
  ),
}
