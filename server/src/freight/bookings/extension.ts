import type { Context } from '../../platform/context.ts'
import { conflict, type Refusal } from '../../platform/core/refusal.ts'
import type { Extension, Write } from '../../records/kinds/extension.ts'
import { type Booking, bookingsOf, isRebooked } from './model.ts'
import { deleteBookings, insertBookings, isRefusing, listOverlaps, type Overlap } from './store.ts'

/** Keeps the bookings of equipment and drivers with every write of a manifest, where the organization refuses double ones. */
export const bookingExtension: Extension = {
  objectKey: 'manifest',
  fields: [],
  findFixed: async () => new Map(),
  async findRefused(ctx, writes) {
    const wanted = rebooked(writes)
    return wanted.length > 0 && (await isRefusing(ctx)) ? findDouble(ctx, wanted) : new Map()
  },
  async afterWrite(ctx, writes) {
    const wanted = rebooked(writes)
    if (wanted.length === 0 || !(await isRefusing(ctx))) return
    await deleteBookings(
      ctx,
      wanted.map(({ id }) => id),
    )
    await insertBookings(
      ctx,
      wanted.flatMap(({ bookings }) => bookings),
    )
  },
}

type Wanted = { id: string; bookings: Booking[] }

/** The writes that change what manifests take. A new manifest that takes nothing changes nothing. */
function rebooked(writes: readonly Write[]): Wanted[] {
  return writes.flatMap(({ id, before, after }) => {
    const bookings = bookingsOf(id, after)
    return isRebooked(before, after) && (before !== null || bookings.length > 0) ? [{ id, bookings }] : []
  })
}

/** In the order of the writes: of two that want the same, the first gets it; what one of them gives up, a later one can have. */
async function findDouble(ctx: Context, wanted: readonly Wanted[]): Promise<Map<string, Refusal>> {
  const overlaps = await listOverlaps(
    ctx,
    wanted.flatMap(({ bookings }) => bookings),
  )
  const refused = new Map<string, Refusal>()
  const taken: Booking[] = []
  const rewritten = new Set(wanted.map(({ id }) => id))
  for (const { id, bookings } of wanted) {
    const stored = overlaps.find(
      (one) => one.manifest_id === id && (!rewritten.has(one.other_id) || refused.has(one.other_id)),
    )
    const inRequest = bookings.flatMap((booking) => taken.filter((other) => isDouble(booking, other)))[0]
    if (stored) refused.set(id, doubleBooked(stored))
    else if (inRequest)
      refused.set(
        id,
        doubleBooked({ ...inRequest, other: 'another manifest of this request', other_id: inRequest.manifest_id }),
      )
    else taken.push(...bookings)
  }
  return refused
}

function isDouble(one: Booking, other: Booking): boolean {
  return one.resource === other.resource && one.from < other.until && other.from < one.until
}

function doubleBooked({
  resource,
  other,
  other_id,
  from,
  until,
}: Pick<Overlap, 'resource' | 'other' | 'other_id' | 'from' | 'until'>): Refusal {
  const isEquipment = resource.startsWith('equipment ')
  const message = `The ${isEquipment ? 'equipment' : 'driver'} is taken by ${other} from ${from} to ${until}. Choose another, or another time.`
  return conflict('double_booked', message, [
    { field: isEquipment ? 'equipment_id' : 'driver_name', code: 'double_booked', message, allowed: [other_id] },
  ])
}
