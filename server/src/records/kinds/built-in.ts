import { contact } from './contact.ts'
import { customer } from './customer.ts'
import { equipment } from './equipment.ts'
import type { Kind } from './kind.ts'
import { leg } from './leg.ts'
import { manifest } from './manifest.ts'
import { order } from './order.ts'
import { partner } from './partner.ts'
import { quote } from './quote.ts'
import { service } from './service.ts'

export const builtInKinds: readonly Kind[] = [
  customer,
  partner,
  order,
  quote,
  manifest,
  leg,
  equipment,
  service,
  contact,
]

const byKey = new Map(builtInKinds.map((kind) => [kind.objectKey, kind]))

export function builtInKind(objectKey: string): Kind | undefined {
  return byKey.get(objectKey)
}
