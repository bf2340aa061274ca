import { type ErrorCodes, is } from '../core/error-code.ts'

export const transferCodes: ErrorCodes = {
  too_many_transfers: is(
    429,
    'As many imports and exports of the organization are waiting or running as it can have.',
    'Wait for one to end, or cancel one.',
  ),
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
  unknown_column: is(
    400,
    'The file has a column that means nothing here, and strict handling was asked for.',
    'Remove the column, or leave out `Prefer: handling=strict`.',
  ),
}
