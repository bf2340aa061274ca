import type { Database } from '../../db/database.ts'
import { countUnhealthy, findWaiting } from './attempts-store.ts'

/**
 * How many deliveries wait in all organizations, and for how long the oldest that is due has, of endpoints that do not fail; how many endpoints fail, and
 * how many were disabled for it.
 */
export async function waitingDeliveries({
  pool,
}: Database): Promise<Record<'waiting' | 'oldestSeconds' | 'failing' | 'disabled', number>> {
  const [waiting, unhealthy] = await Promise.all([findWaiting(pool), countUnhealthy(pool)])
  return { ...waiting, ...unhealthy }
}
