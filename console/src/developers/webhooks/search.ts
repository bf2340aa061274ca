import { pageIn } from '../../app/table/page-number.ts'
import { isEventType } from '../events/search.ts'

const states = ['pending', 'failed', 'given_up', 'succeeded'] as const
export type DeliveryState = (typeof states)[number]
export type DeliverySearch = { state?: DeliveryState; types?: string[]; page?: number }

/** What the address says of the deliveries of a webhook. */
export function deliverySearchIn(given: Record<string, unknown>): DeliverySearch {
  const state = states.find((known) => known === given.state)
  const types = (Array.isArray(given.types) ? given.types : []).filter(isEventType)
  return { ...pageIn(given), ...(state && { state }), ...(types.length > 0 && { types }) }
}
