import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const bankDetailsCodes: ErrorCodes = {
  bad_bank_details: is(
    400,
    'A number among the bank details is wrong: its form or its check digits.',
    'Correct the field that the message names.',
  ),
  bank_details_incomplete: is(
    400,
    'The bank details do not suffice for this way of paying.',
    'Send the fields that the message names.',
  ),
  masked_value: is(400, 'The bank details hold masked values.', 'Send all of the details, or leave the field out.'),
}
