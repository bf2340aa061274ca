import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const rateCodes: ErrorCodes = {
  bad_rate: is(
    400,
    'The exchange rate is not a decimal number above 0 with up to 10 decimals.',
    'Send a text such as `"1.0842"`.',
  ),
  exchange_rate_missing: is(
    [404, 409],
    'No exchange rate between the two currencies is known for that day.',
    'Add the rate for the day, or one in the other direction; where the organization has no home currency, set that.',
  ),
  malformed_xml: is(
    400,
    'The XML is not laid out as the file of the European Central Bank.',
    'Send its file of reference rates, or a CSV.',
  ),
  rates_overlap: is(
    409,
    'Another rate of the two currencies holds on some of the same days.',
    'Change its days first, or update it.',
  ),
  same_currency: is(400, 'An exchange rate is between two currencies, and both are the same.', 'Send two currencies.'),
}
