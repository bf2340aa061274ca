import { signedHeaders } from '../../../platform/webhooks/sending/signing.ts'
import { reasonOf } from './api.ts'
import type { FollowedEvent } from './follow.ts'

export type ForwardResult = { status: number | null; error: string | null; duration_ms: number }

const patienceMs = 10_000

/** Whether a text is a secret of Standard Webhooks: `whsec_` and the key in base64. */
export function isSecret(text: string): boolean {
  const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  return Buffer.from(key, 'base64').length >= 16
}

/** Sends an event as a webhook would, signed as Standard Webhooks says. Never throws: what came of it is what is shown. */
export async function forward(
  url: string,
  secret: string,
  event: FollowedEvent,
  now = new Date(),
): Promise<ForwardResult> {
  const body = JSON.stringify({ id: event.id, type: event.type, timestamp: event.occurred_at, data: event })
  const signed = signedHeaders([secret], { id: event.id, at: now, body })
  const headers = { 'content-type': 'application/json', 'user-agent': 'Lading-Listen', ...signed }
  const since = performance.now()
  const took = () => Math.round(performance.now() - since)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    })
    await answer.body?.cancel()
    return { status: answer.status, error: null, duration_ms: took() }
  } catch (error) {
    return { status: null, error: reasonOf(error), duration_ms: took() }
  }
}
