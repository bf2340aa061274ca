import { record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { disableApplication, enableApplication } from './actions.ts'
import { ofOne } from './paths.ts'

export function enablingRoutes(app: App): void {
  app.post(
    '/oauth_applications/:applicationID/disable',
    ofOne(
      'Disable an OAuth application',
      'disableOAuthApplication',
      'Disables the application until it is enabled again. Its access tokens are refused from this moment on; it gets no new ones, and nobody can sign in through it.',
    ),
    async (request) =>
      record(
        'oauth_application',
        await disableApplication(request.ctx, request.params.applicationID, expectedIn(request)),
      ),
  )

  app.post(
    '/oauth_applications/:applicationID/enable',
    ofOne(
      'Enable an OAuth application',
      'enableOAuthApplication',
      'Enables the application again. It gets tokens with its secret, and with the refresh tokens that it has; the access tokens from before stay dead.',
    ),
    async (request) =>
      record(
        'oauth_application',
        await enableApplication(request.ctx, request.params.applicationID, expectedIn(request)),
      ),
  )
}
