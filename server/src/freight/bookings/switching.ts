import type { Context } from '../../platform/context.ts'
import { bookingsOf } from './model.ts'
import { deleteAllBookings, insertBookings, isRefusing, listLive } from './store.ts'

const first = '00000000-0000-0000-0000-000000000000'
const atOnce = 1000

/**
 * The organization has switched the refusal of double bookings on or off. Switched on, all manifests that are not over are booked; of two that overlap already
 * the one that begins first is, and the other is looked at when somebody changes what it takes.
 */
export async function rebookAfter(ctx: Context, previous: object): Promise<void> {
  if (!('double_booking' in previous)) return
  await deleteAllBookings(ctx)
  if (!(await isRefusing(ctx))) return
  for (
    let page = await listLive(ctx, first, atOnce);
    page.length > 0;
    page = await listLive(ctx, page.at(-1)?.id as string, atOnce)
  ) {
    await insertBookings(
      ctx,
      page.flatMap(({ id, ...state }) => bookingsOf(id, state)),
      { skipTaken: true },
    )
  }
}
