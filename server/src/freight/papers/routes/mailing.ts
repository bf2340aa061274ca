import Type from 'typebox'
import type { Context } from '../../../platform/context.ts'
import { named } from '../../../platform/core/schema/names.ts'
import { type Answer, ok, withFields } from '../../../platform/http/answers/answers.ts'
import { optional } from '../../../platform/http/input/json-body.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { readMail } from '../../../platform/mail/actions.ts'
import { MailBody, MailResult, mailedTo } from '../../../platform/mail/model.ts'

export const body = optional(
  named(
    'SendMail',
    Type.Object(MailBody, { examples: [{ to: ['ap@cascade.example'], message: 'Our payment is on its way.' }] }),
  ),
)
export const mailed = answers({
  202: named('SentMail', Type.Object({ mail: Type.Ref('Mail'), ...MailResult.properties })),
})

/** A mail that was made, and to whom it goes. */
export async function mailAnswer(ctx: Context, id: string): Promise<Answer> {
  const { json } = await readMail(ctx, id)
  return { ...ok(withFields(`{"mail":${json}}`, mailedTo(JSON.parse(json).to, id))), status: 202 }
}
