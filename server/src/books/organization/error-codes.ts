import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const organizationSettingsCodes: ErrorCodes = {
  home_currency_required: is(
    400,
    'Exchange rates can be required only in an organization with a home currency.',
    'Set `home_currency_id` with it, or before it.',
  ),
}
