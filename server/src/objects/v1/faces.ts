import type { Field, Kind } from '../definitions/kind.ts'
import { customer } from '../kinds/customer.ts'
import { equipment } from '../kinds/equipment.ts'
import { leg } from '../kinds/leg.ts'
import { manifest } from '../kinds/manifest.ts'
import { order } from '../kinds/order.ts'
import { partner } from '../kinds/partner.ts'
import { service } from '../kinds/service.ts'
import { shared } from '../model.ts'
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

/** Said of a manifest by the books, and not its client's to set. */
const paid: readonly Field[] = [
  {
    key: 'billId',
    name: 'Bill',
    type: 'text',
    description: 'The bill that pays for it; made by POST …/bill.',
    example: '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5c',
  },
  { key: 'billStatusId', name: 'State of the bill', type: 'text', description: 'Where that bill stands.', example: 'draft' },
  { key: 'billNumber', name: 'Number of the bill', type: 'text', description: 'The number people read; given when the bill is saved.', example: 'BILL-000123' },
]

export const manifestFace = faceOf(manifest, 'manifests', 'manifest', paid)

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

function faceOf(kind: Kind, many: string, one: string, told: readonly Field[] = []): Face {
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
    ...columnsOf(kind, shared, told),
  }
}
