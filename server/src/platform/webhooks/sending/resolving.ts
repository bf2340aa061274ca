import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublic } from './addresses.ts'

export type Resolve = (name: string) => Promise<LookupAddress[]>

/** Why a connection was not tried. */
export class UnreachableEndpoint extends Error {}

/**
 * Gives a connection the addresses that it may go to, and it goes to no other: between the check and the connection nobody asks for the name again.
 * An address that is written as such is never looked up, so whoever sends checks it with `requireReachable`.
 */
export function lookupOf(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const allowed = allowPrivate ? found : found.filter(({ address }) => isPublic(address))
        const [first] = allowed
        const missing =
          found.length === 0 ? `The name ${name} has no address.` : `The name ${name} means no public address.`
        if (!first) callback(new UnreachableEndpoint(missing), '')
        else if (options.all) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      () => callback(new UnreachableEndpoint(`The name ${name} could not be resolved.`), ''),
    )
  }
}

export function requireReachable(host: string, allowPrivate: boolean): void {
  if (isIP(host) > 0 && !allowPrivate && !isPublic(host))
    throw new UnreachableEndpoint(`The address ${host} is not public.`)
}

const resolver = new Resolver({ timeout: 2_000, tries: 2 })
let lookingUp: Promise<unknown> = Promise.resolve()

/**
 * Asks the name servers directly: the system's own function waits in one of the few threads in which passwords are hashed too. Only a name that they say
 * does not exist is looked for with that function, one at a time: it knows the file of hosts and the domains that are searched.
 */
export async function resolveName(name: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map(asFamily(4)),
    ...(v6.status === 'fulfilled' ? v6.value : []).map(asFamily(6)),
  ]
  if (found.length > 0) return found
  if (v4.status === 'rejected' && v4.reason?.code === 'ETIMEOUT') throw v4.reason
  const asked = lookingUp.then(() => lookup(name, { all: true }))
  lookingUp = asked.catch(() => {})
  return asked
}

function asFamily(family: number): (address: string) => LookupAddress {
  return (address) => ({ address, family })
}
