import { customer } from '../kinds/customer.ts'
import { equipment } from '../kinds/equipment.ts'
import type { Kind } from '../kinds/kind.ts'
import { leg } from '../kinds/leg.ts'
import { manifest } from '../kinds/manifest.ts'
import { order } from '../kinds/order.ts'
import { partner } from '../kinds/partner.ts'
import { service } from '../kinds/service.ts'
import { sharedFields } from '../kinds/shared-fields.ts'
import { columnsOf, type Names } from './names.ts'

/** A kind of object as v1 shows it: under which path, and with which names. */
export type Resource = Names & {
  kind: Kind
  /** Its path below /api/v1, and the name of its list. */
  many: string
  /** The name of one in an answer. */
  one: string
  /** What it is called in sentences. */
  label: string
  labels: string
  schema: string
  param: string
  /** The external id of one in the demo. */
  example: string | undefined
}

export const manifestResource = resourceOf(manifest, 'manifests', 'manifest', 'TRIP-5521')
export const orderResource = resourceOf(order, 'orders', 'order', 'SO-5510')
export const customerResource = resourceOf(customer, 'customers', 'customer', 'ERP-1001')
export const carrierResource = resourceOf(partner, 'partner_carriers', 'partner_carrier', 'CAR-301')

/** The kinds that v1 has; another one is a line here. */
export const resources: readonly Resource[] = [
  customerResource,
  orderResource,
  resourceOf(leg, 'legs', 'leg'),
  manifestResource,
  resourceOf(equipment, 'equipment', 'equipment'),
  resourceOf(service, 'services', 'service', 'TL-DRY'),
  carrierResource,
]

function resourceOf(kind: Kind, many: string, one: string, example?: string): Resource {
  const label = one.replaceAll('_', ' ')
  const schema = one.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return {
    kind,
    many,
    one,
    example,
    label,
    labels: many.replaceAll('_', ' '),
    schema,
    param: `${schema[0]?.toLowerCase()}${schema.slice(1)}ID`,
    ...columnsOf(kind, sharedFields),
  }
}
