import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const billCodes: ErrorCodes = {
  duplicate_bill: is(
    409,
    'Another bill of the carrier has the number already, and the organization refuses duplicates.',
    'Change that bill, or send `allow_duplicate: true` where this is really another.',
  ),
  unknown_bill: is(400, 'There is no bill of this id in the organization.', 'Check the id.'),
  unknown_bill_item_type: is(
    [400, 409],
    'There is no such bill item type in the organization.',
    'Make it, or use one that is there.',
  ),
}
