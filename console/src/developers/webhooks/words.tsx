import { StateBadge, type Tone } from '../../app/parts/state-badge.tsx'
import { Moment } from '../../app/parts/when.tsx'
import type { Delivery, Webhook } from './queries.ts'

/** What people call it. */
export function nameOf({ url, description }: Pick<Webhook, 'url' | 'description'>): string {
  return description || url
}

export const deliveryStates: Record<Delivery['state'], { words: string; tone: Tone }> = {
  pending: { words: 'Waiting', tone: 'open' },
  succeeded: { words: 'Delivered', tone: 'done' },
  failed: { words: 'Failed, will retry', tone: 'attention' },
  given_up: { words: 'Given up', tone: 'stopped' },
}

/** How deliveries go, at a glance. */
export function Health({ webhook: { enabled, failing_since, last_success_at } }: { webhook: Webhook }) {
  if (!enabled) return <StateBadge words="Disabled" tone="stopped" />
  if (failing_since) return <StateBadge words="Failing" tone="attention" />
  return last_success_at ? <StateBadge words="Healthy" tone="done" /> : <StateBadge words="Nothing sent yet" />
}

/** The last attempt in words. */
export function LastAnswer({ delivery: { attempts } }: { delivery: Pick<Delivery, 'attempts'> }) {
  const last = attempts.at(-1)
  if (!last) return '–'
  return last.error ?? `${last.status} in ${last.duration_ms.toLocaleString()} ms`
}

export function NextAttempt({ delivery: { next_attempt_at } }: { delivery: Pick<Delivery, 'next_attempt_at'> }) {
  if (next_attempt_at === null) return '–'
  return Date.parse(next_attempt_at) <= Date.now() ? 'Now' : <Moment at={next_attempt_at} />
}
