import type { Context } from '../context.ts'
import { disabledAfterMs } from '../core/turns/schedule.ts'
import { record } from '../events/record.ts'
import { sendMail } from '../mail/send.ts'
import { recordSecurity } from '../security-log/record.ts'
import type { Health } from './attempts/attempts-store.ts'
import { hostIn } from './sending/target.ts'
import { findRecord, listAdminAddresses, saveDisabled, saveRevision } from './store.ts'

/** Disables a webhook that has failed for too long, in the transaction of its last failure. Answers whether it did. */
export async function disableFailing(
  ctx: Context,
  id: string,
  { enabled, failing_since }: Health,
  { now, lastError }: { now: Date; lastError: string },
): Promise<boolean> {
  if (!enabled || !failing_since || now.getTime() - failing_since.getTime() < disabledAfterMs) return false
  const reason = `Every delivery has failed since ${failing_since.toISOString()}. The last one: ${lastError}`
  await saveDisabled(ctx, id, reason)
  await saveRevision(ctx, id)
  const disabled = await findRecord(ctx, id)
  if (!disabled) return false
  await record(ctx, {
    type: 'webhook.disabled',
    subject: { type: 'webhook', id },
    revision: disabled.revision,
    data: disabled.json,
    previous: { enabled: true, disabled_at: null, disabled_reason: null },
  })
  const { url, description } = JSON.parse(disabled.json) as { url: string; description: string | null }
  await recordSecurity(ctx, {
    type: 'webhook.disabled',
    summary: `Disabled the webhook that sends to ${hostIn(url)}: every delivery had failed for three days.`,
  })
  await mailAdmins(ctx, id, { name: description ?? hostIn(url), url, reason })
  return true
}

/** Once: a webhook that is disabled already does not come here. The query of the address may have a secret. */
async function mailAdmins(
  ctx: Context,
  id: string,
  { name, url, reason }: { name: string; url: string; reason: string },
): Promise<void> {
  const to = await listAdminAddresses(ctx)
  if (to.length === 0) return
  const [address] = url.split('?')
  await sendMail(ctx, {
    kind: 'notice',
    scope: 'webhooks',
    to,
    subject: `The webhook ${name} was disabled`,
    text: [
      `Nothing is sent any more to ${address}.`,
      reason,
      'When the endpoint works again, enable the webhook in the console under Developers → Webhooks. What happened meanwhile is not sent by itself: replay that time there.',
    ].join('\n\n'),
    record: { type: 'webhook', id },
  })
}
