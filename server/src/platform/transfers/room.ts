import type { Context } from '../context.ts'
import { Refusal } from '../core/refusal.ts'
import { countUnfinished } from './store.ts'

/** So many transfers of an organization may wait or run at the same time, and so many files arrive: they fill the disk. */
export const mostWaiting = 20
const mostArriving = 50

export async function requireRoom(ctx: Context): Promise<void> {
  const { waiting, arriving } = await countUnfinished(ctx)
  if (waiting >= mostWaiting)
    throw tooMany(
      `${mostWaiting} imports and exports of this organization are waiting or running, and it can have no more. Wait for one to end, or cancel one.`,
    )
  if (arriving > mostArriving)
    throw tooMany(
      `More than ${mostArriving} files of this organization are arriving, or broke off in the last two hours. Try again later.`,
    )
}

function tooMany(message: string): Refusal {
  return new Refusal('too_many', 'too_many_transfers', message, { headers: { 'retry-after': '30' } })
}
