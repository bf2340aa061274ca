import { hash } from 'node:crypto'

/** An event in the order of the chain. `digest` is the SHA-256 of its content. */
export type ChainedEvent = { id: string; position: number; digest: Buffer }

/** What the first event of an organization has as the hash before it. */
export const noHash = Buffer.alloc(32)

/** The hash of each event, in this order, behind the one before them. A change of any event changes its hash and all that follow. */
export function chainHashes(before: Buffer, events: readonly Pick<ChainedEvent, 'position' | 'digest'>[]): Buffer[] {
  let last = before
  return events.map(({ position, digest }) => {
    const place = Buffer.alloc(8)
    place.writeBigInt64BE(BigInt(position))
    last = hash('sha256', Buffer.concat([last, place, digest]), 'buffer')
    return last
  })
}
