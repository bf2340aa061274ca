import { recordPositions } from '../../../freight/positions/actions.ts'
import type { Position } from '../../../freight/positions/model.ts'
import type { Context } from '../../../platform/context.ts'

type Place = { latitude: number; longitude: number }
type Trip = {
  orderId: string
  pickup: object
  delivery: object
  start: Date
  end: Date
  departed: Date
  state: 'completed' | 'in_transit' | 'dispatched' | 'planned'
}

const hour = 3_600_000
const kmh = 68
const kilometresOfDegree = 111

/** A pickup and a delivery, reported as far as the trip has come. */
export function stopsFor({ orderId, pickup, delivery, start, end, departed, state }: Trip): object[] {
  const after = (time: Date, hours: number) => new Date(time.getTime() + hours * hour).toISOString()
  const isUnderway = state === 'completed' || state === 'in_transit'
  return [
    {
      ...{
        kind: 'pickup',
        sequence: 1,
        orderId,
        address: pickup,
        windowStart: after(start, 0),
        windowEnd: after(start, 4),
      },
      ...(isUnderway && { arrivedAt: after(departed, -1.5), departedAt: after(departed, 0) }),
    },
    {
      ...{
        kind: 'delivery',
        sequence: 2,
        orderId,
        address: delivery,
        windowStart: after(end, -4),
        windowEnd: after(end, 0),
      },
      ...(state === 'completed' && { arrivedAt: after(end, -2), departedAt: after(end, -0.5) }),
    },
  ]
}

/** A position for every half hour since it departed, and a check call; it gets half of the way at most, so that it is still under way tomorrow. */
export async function fillPositions(
  ctx: Context,
  manifest: string,
  { from, to, departed }: { from: Place; to: Place; departed: Date },
): Promise<void> {
  const [north, east] = [to.latitude - from.latitude, to.longitude - from.longitude]
  const length = Math.hypot(north, east * Math.cos((from.latitude * Math.PI) / 180)) * kilometresOfDegree
  const positions: Position[] = []
  for (let time = departed.getTime() + hour / 2; time <= Date.now() - hour / 4; time += hour / 2) {
    const share = Math.min(0.5, (((time - departed.getTime()) / hour) * kmh) / length)
    positions.push({
      ...nothing,
      ...{ at: new Date(time).toISOString(), source: 'device', speed_kmh: share < 0.5 ? kmh : 0 },
      ...{ latitude: rounded(from.latitude + north * share), longitude: rounded(from.longitude + east * share) },
    })
  }
  positions.push({
    ...nothing,
    at: new Date(Date.now() - hour / 6).toISOString(),
    source: 'check_call',
    note: 'Driver is resting, goes on in the morning.',
  })
  await recordPositions(ctx, { by: 'id', id: manifest }, positions)
}

const nothing = { latitude: null, longitude: null, speed_kmh: null, heading: null, place: null, note: null }

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}
