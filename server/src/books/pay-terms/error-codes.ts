import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const payTermCodes: ErrorCodes = {
  bad_percent: is(
    400,
    'The percent is not a decimal number from 0 to 100 with up to 6 decimals.',
    'Send a text such as `"8.25"`.',
  ),
  discount_incomplete: is(400, 'The days and the percent of a discount come together.', 'Send both, or neither.'),
  key_mismatch: is(400, 'The key of a connector mapping is not its `connector_id`.', 'Make the two equal.'),
  unknown_pay_term: is(400, 'There is no such pay term in the organization.', 'Use one that `GET /pay_terms` lists.'),
}
