import { type Context, transaction } from '../../platform/context.ts'
import { listIdsOf, saveTimes } from './store.ts'

/** Has the objects of a kind say that they were made between these days, in the order in which they were: for an organization that is made with a past. */
export function dateObjects(ctx: Context, objectKey: string, [from, to]: readonly [Date, Date]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const ids = await listIdsOf(ctx, objectKey)
    const step = (to.getTime() - from.getTime()) / Math.max(1, ids.length)
    await saveTimes(
      ctx,
      ids.map((id, index) => ({ id, made: new Date(Math.floor(from.getTime() + step * index)) })),
    )
  })
}
