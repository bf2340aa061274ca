import { stopsIn } from '../stops/itinerary/model.ts'
import { type Finding, finding } from './finding.ts'
import { kilogramsOf, type Load } from './model.ts'

type Order = Load['orders'][number]

/** Orders that need another kind of equipment than the unit on the manifest, or than each other. What a tractor pulls is not known. */
export function equipmentFindings({ manifest, orders, unit }: Load): Finding[] {
  const needed = orders.flatMap((order) =>
    typeof order.json.equipmentType === 'string' ? [{ order, type: order.json.equipmentType }] : [],
  )
  const type = unit?.equipment_type ?? null
  if (type === null || type === 'tractor') {
    const types = [...new Set(needed.map((one) => one.type))].filter(
      (one) => !(one === 'dry_van' && needed.some((other) => other.type === 'reefer')),
    )
    if (types.length < 2) return []
    return [finding('equipment_conflict', `Its orders need different equipment: ${types.map(wordsOf).join(' and ')}.`)]
  }
  return needed
    .filter((one) => !fits(type, one.type))
    .map(({ order, type: need }) =>
      finding(
        'equipment_mismatch',
        `${order.full_id} needs a ${wordsOf(need)}, and ${unit?.name ?? 'the unit on this manifest'} is a ${wordsOf(type)}.`,
        stopsIn(manifest).find(({ orderId, kind }) => orderId === order.id && kind === 'pickup')?.id ?? null,
      ),
    )
}

/** Whether a unit carries what needs another type too: a reefer that is switched off is a dry van, and a chassis carries a container. */
function fits(type: string, need: string): boolean {
  return type === need || (type === 'reefer' && need === 'dry_van') || (type === 'chassis' && need === 'container')
}

/** Where the manifest carries more than its unit takes, as far as the weights are known. */
export function weightFindings({ manifest, orders, unit }: Load): Finding[] {
  const capacity = unit?.capacity
  if (typeof capacity !== 'number') return []
  const stops = stopsIn(manifest)
  const hasOwnStops = ({ id }: Order) => stops.some(({ orderId, kind }) => orderId === id && kind === 'pickup')
  // Orders whose stops are not known are on it all the way.
  const always = orders.filter((order) => !hasOwnStops(order))
  const whole = (list: readonly Order[]) => list.reduce((sum, { json }) => sum + (kilogramsOf(json) ?? 0), 0)
  const loaded = stops.map((stop, index) => {
    const isOn = ({ id }: Order) =>
      stops.slice(0, index + 1).some(({ orderId, kind }) => orderId === id && kind === 'pickup') &&
      stops.slice(index + 1).some(({ orderId }) => orderId === id)
    return {
      stop_id: stop.id as string | null,
      sequence: stop.sequence,
      weight: whole([...always, ...orders.filter((order) => hasOwnStops(order) && isOn(order))]),
    }
  })
  const most = [{ stop_id: null, sequence: 0, weight: whole(always) }, ...loaded].reduce((one, other) =>
    other.weight > one.weight ? other : one,
  )
  if (most.weight <= capacity) return []
  const kg = (weight: number) => `${Math.round(weight).toLocaleString('en-US')} kg`
  const where = most.stop_id === null ? 'It' : `From stop ${most.sequence} on it`
  const message = `${where} carries ${kg(most.weight)}, and ${unit?.name ?? 'the unit on this manifest'} takes ${kg(capacity)}.`
  return [finding('over_capacity', message, most.stop_id)]
}

function wordsOf(type: string): string {
  return type.replaceAll('_', ' ')
}
