import { type Context, transaction } from '../../../platform/context.ts'
import type { Kind } from '../model/kind/kind.ts'
import { listDated, saveTimes } from './dating-store.ts'

/**
 * Has the documents of an organization say that they were made on their date and changed when they were sent or paid, none before `oldest`: for an
 * organization that is made with a past. What happened is recorded as it was, now.
 */
export function dateDocuments(ctx: Context, kind: Kind, oldest: Date): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const now = new Date()
    const times = (await listDated(ctx, kind)).map(({ id, dated, sent_at, paid_at }, index) => {
      const made = within(atWork(dated ?? now, index), oldest, now)
      return { id, made, changed: within(paid_at ?? sent_at ?? made, made, now) }
    })
    await saveTimes(ctx, kind, times)
  })
}

/** Some minute of a working day, another for each. */
function atWork(day: Date, index: number): Date {
  const start = Math.floor(day.getTime() / 86_400_000) * 86_400_000
  return new Date(start + (13 * 60 + ((index * 47) % 480)) * 60_000 + ((index * 7_919) % 60_000))
}

function within(time: Date, least: Date, most: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), least.getTime()), most.getTime()))
}
