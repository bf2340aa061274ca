import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const taxRateCodes: ErrorCodes = {
  components_do_not_add_up: is(
    400,
    'The percents of the components of a tax do not come to its percent.',
    'Make the two equal, or leave out `percent`.',
  ),
  tax_rate_in_use: is(
    409,
    'Lines carry the tax rate, so its percent and components are fixed.',
    'Make another rate, and set `active` of this one to false.',
  ),
}
