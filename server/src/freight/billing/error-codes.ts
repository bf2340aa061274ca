import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const billingCodes: ErrorCodes = {
  billed: is(
    409,
    'A bill pays for the manifest, so this part of it is fixed.',
    'Delete that bill while it is a draft, or change the bill instead.',
  ),
  invoiced: is(
    409,
    'An invoice charges for the order, so there is no second one, and this part of the order is fixed.',
    'Delete that invoice while it is a draft, or change the invoice instead.',
  ),
  no_carrier: is(
    409,
    'The manifest or bill has no partner carrier, so there is nobody to pay or to show it to.',
    'Set its partner carrier first.',
  ),
  no_currency: is(409, 'Neither the manifest or order nor its carrier or customer has a currency.', 'Set one first.'),
  no_customer: is(409, 'The customer of the order is gone, so there is nobody to invoice.', 'Set its customer first.'),
  nothing_to_bill: is(409, 'The manifest has no payment items.', 'Give it some first.'),
  nothing_to_invoice: is(409, 'The order has neither a rate nor charges.', 'Give it some first.'),
  unusable_items: is(
    409,
    'The payment items or charges are not in the form that they have in every organization, so nothing can be made from them.',
    'Write them anew.',
  ),
}
