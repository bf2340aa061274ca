import type { Database } from '../db/database.ts'
import { findWaitingMails } from './delivery-store.ts'

/** How many mails wait in all organizations, and for how long the one that has been due for longest has. */
export function waitingMails({ pool }: Database): Promise<Record<'waiting' | 'oldestSeconds', number>> {
  return findWaitingMails(pool)
}
