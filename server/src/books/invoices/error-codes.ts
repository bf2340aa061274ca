import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const invoiceCodes: ErrorCodes = {
  unknown_invoice: is(400, 'There is no invoice of this id in the organization.', 'Check the id.'),
}
