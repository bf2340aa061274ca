import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const singleCodes: ErrorCodes = {
  not_deleted: is(409, 'The object is not deleted, so there is nothing to restore.', 'Read it: it is there.'),
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
}
