import { recordSecurity } from '../auth/security-events/record.ts'
import type { Context } from '../context.ts'
import { record } from '../events/record.ts'
import type { Health } from './attempts-store.ts'
import { disabledAfterMs } from './schedule.ts'
import { findRecord, saveDisabled, saveRevision } from './store.ts'
import { hostIn } from './target.ts'

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
  const { url } = JSON.parse(disabled.json) as { url: string }
  await recordSecurity(ctx, {
    type: 'webhook.disabled',
    summary: `Disabled the webhook that sends to ${hostIn(url)}: every delivery had failed for three days.`,
  })
  return true
}
