import type { Database } from '../db/database.ts'
import { findWaiting } from './attempts-store.ts'

/** How many deliveries wait in all organizations, and for how long the oldest that is due has, of endpoints that do not fail. */
export function waitingDeliveries({ pool }: Database): Promise<{ waiting: number; oldestSeconds: number }> {
  return findWaiting(pool)
}
