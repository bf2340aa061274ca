import { customer } from '../kinds/customer.ts'
import { equipment } from '../kinds/equipment.ts'
import type { Kind } from '../kinds/kind.ts'
import { leg } from '../kinds/leg.ts'
import { manifest } from '../kinds/manifest.ts'
import { order } from '../kinds/order.ts'
import { partner } from '../kinds/partner.ts'
import { service } from '../kinds/service.ts'
import { shared } from '../kinds/shared-fields.ts'
import { columnsOf, type Names } from './names.ts'

/** What v1 shows of a kind of object, and under which names. */
export type Face = Names & {
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
}

export const manifestFace = faceOf(manifest, 'manifests', 'manifest')

/** Every face there is: a kind that gets one gets a line here. */
export const faces: readonly Face[] = [
  faceOf(customer, 'customers', 'customer'),
  faceOf(order, 'orders', 'order'),
  faceOf(leg, 'legs', 'leg'),
  manifestFace,
  faceOf(equipment, 'equipment', 'equipment'),
  faceOf(service, 'services', 'service'),
  faceOf(partner, 'partner_carriers', 'partner_carrier'),
]

function faceOf(kind: Kind, many: string, one: string): Face {
  const label = one.replaceAll('_', ' ')
  const schema = one.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return {
    kind,
    many,
    one,
    label,
    labels: many.replaceAll('_', ' '),
    schema,
    param: `${schema[0]?.toLowerCase()}${schema.slice(1)}ID`,
    ...columnsOf(kind, shared),
  }
}
