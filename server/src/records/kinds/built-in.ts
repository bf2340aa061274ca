import { contact } from './contact.ts'
import { customer } from './customer.ts'
import { equipment } from './equipment.ts'
import type { Kind, Scope } from './kind.ts'
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

/** From the key alone, so that whoever lacks the scope learns nothing about which kinds there are. */
export function scopeOf(objectKey: string): Scope {
  return byKey.get(objectKey)?.scope ?? 'services'
}

export const kindScopes: readonly Scope[] = [...new Set(builtInKinds.map(({ scope }) => scope))]
