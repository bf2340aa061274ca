import type { FastifyInstance } from 'fastify'
import { invalid } from '../../platform/core/refusal.ts'
import { unstorable } from '../../platform/core/values/storable.ts'
import { sendPage } from '../../platform/pages/layout.ts'
import { noteVisits } from '../../platform/security-log/visitor.ts'
import type { Settings } from '../../settings.ts'
import { answerAsPage } from './failures.ts'
import { foreignFormPage } from './pages.ts'

/**
 * Pages take plain forms from themselves only. Cookies are `SameSite=Lax` already, so a form on another site arrives without them; this says so
 * before anything is looked at.
 */
export function acceptForms(app: FastifyInstance, { authUrl }: Settings): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => {
      const fields = Object.fromEntries(new URLSearchParams(body as string))
      const broken = Object.entries(fields).find(([, value]) => unstorable(value))
      if (broken) done(invalid(broken[0], 'bad_text', 'The form contains characters that cannot be read.'))
      else done(null, fields)
    },
  )
  app.setErrorHandler(answerAsPage)
  noteVisits(app)
  app.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'POST') return
    const { origin, host, 'sec-fetch-site': site } = request.headers
    const from = origin === undefined || origin === 'null' ? undefined : URL.parse(origin)?.host
    const foreign =
      site !== undefined
        ? site !== 'same-origin'
        : from !== undefined && from !== host && from !== new URL(authUrl).host
    if (foreign) await sendPage(reply, foreignFormPage)
    request.body ??= {}
  })
}
