import { oneSnapshot, type Pool } from '../../db/pool/connect.ts'
import { readAllOrganizations } from '../../db/schema/organizations.ts'
import type { Run } from '../../db/sql/rows.ts'
import { chosenTypes } from '../../events/types.ts'
import { countMissing, listCountFaults, listLive, listNotSent } from './verify-store.ts'

/** What is wrong with deliveries: events without one, deliveries that nobody sends, and numbers of attempts that do not agree. */
export function verifyDeliveries(pool: Pool, deliveryDays: number): Promise<string[]> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return findFaults(run, deliveryDays)
  }, oneSnapshot)
}

/** In a transaction that reads all organizations. */
export async function findFaults(run: Run, deliveryDays: number): Promise<string[]> {
  return [...(await missingDeliveries(run, deliveryDays)), ...(await listNotSent(run)), ...(await listCountFaults(run))]
}

/** Deliveries are deleted after some days, so only those of later events can be missing. */
async function missingDeliveries(run: Run, deliveryDays: number): Promise<string[]> {
  const faults: string[] = []
  for (const webhook of await listLive(run)) {
    const { org_id, id, position, last_position } = webhook
    if (position > last_position)
      faults.push(`The webhook ${id} of ${org_id} is at position ${position} of a feed that ends at ${last_position}.`)
    const { count, first } = await countMissing(run, webhook, chosenTypes(webhook.event_types), deliveryDays - 1)
    if (count > 0)
      faults.push(
        `The webhook ${id} of ${org_id} has no delivery for ${count} events that it asked for, the first at position ${first}.`,
      )
  }
  return faults
}
