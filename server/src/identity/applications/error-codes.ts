import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const applicationCodes: ErrorCodes = {
  bad_redirect_uri: is(
    400,
    'The redirect URI is not an https address, nor http on this machine.',
    'Register an https address without a fragment.',
  ),
  needs_pkce: is(
    400,
    'A public application always needs PKCE.',
    'Leave `require_pkce` true, or make the application confidential.',
  ),
  needs_secret: is(
    400,
    'A public application has no secret, which this flow needs.',
    'Make the application confidential, or leave out the flow.',
  ),
  no_secret: is(400, 'A public application has no secret to rotate.', 'Make the application confidential first.'),
}
