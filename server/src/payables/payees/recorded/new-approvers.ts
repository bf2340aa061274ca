import { actorId } from '../../../platform/access/acting/acting.ts'
import type { Context } from '../../../platform/context.ts'
import { sendMail } from '../../../platform/mail/send.ts'
import { recordSecurity } from '../../../platform/security-log/record.ts'
import { listWithRoles } from './people-store.ts'
import { endDaysBefore, findStanding, saveDaysBefore } from './users-store.ts'

/**
 * When an organization changes for how long who is new decides nothing about where money goes: what it was counts on for as many days, so that nobody takes
 * the wait away for what they are about to do. Who is alone wrongs nobody, and need not wait.
 */
export async function keepWaitAfter(
  ctx: Context,
  { new_approver_days: before }: { new_approver_days?: number },
): Promise<void> {
  if (before === undefined) return
  await saveDaysBefore(ctx, before)
  const { is_alone } = await findStanding(ctx, await actorId(ctx))
  if (is_alone) await endDaysBefore(ctx)
  const summary = 'Changed for how many days who is new decides nothing about where money goes.'
  await recordSecurity(ctx, { type: 'organization.updated', summary: `${summary} It was ${before}.` })
  const admins = (await listWithRoles(ctx, ['admin'])).map(({ email }) => email)
  if (admins.length === 0) return
  const text = `The setting by which who is new approves no payee and no payment run for some days was changed; it was ${before}. A smaller number counts when as many days have passed as it was before.\n\nIf you do not know why, ask the other admins at once. The security log says who did it.`
  await sendMail(ctx, {
    kind: 'notice',
    scope: 'users',
    to: admins,
    subject: 'It was changed how long who is new waits',
    text,
    record: { type: 'organization', id: ctx.org },
  })
}
