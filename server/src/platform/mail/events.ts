import type { Context } from '../context.ts'
import { announcements } from '../core/announcements.ts'
import { record } from '../events/record.ts'
import { findMail } from './store.ts'

/** There is a mail to be sent in this organization. */
export const mailQueued = announcements<[org: string]>()

/** Records what happened to a mail, as it is after it. Neither its message nor a secret is in the event. */
export async function recordMail(
  ctx: Context,
  id: string,
  type: `mail.${string}`,
  previous?: Record<string, unknown>,
): Promise<void> {
  const found = await findMail(ctx, id)
  if (!found) throw new Error(`mail ${id} is missing within its own transaction`)
  await record(ctx, {
    type,
    subject: { type: 'mail', id },
    revision: found.revision,
    data: found.json,
    ...(previous && { previous }),
  })
}
