import type { webhooks } from './schema.d.ts'

type BodyOf<Webhook> = Webhook extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
  ? Body
  : never

/** The types of events that webhooks deliver. Kinds of objects that an organization made have types of their own besides. */
export type EventType = keyof webhooks
/** What a webhook is sent for one type: `WebhookMessageOf<'bill.paid'>`. */
export type WebhookMessageOf<Type extends EventType> = BodyOf<webhooks[Type]>
/** What a webhook is sent: a union, in which `type` says what `data` is. */
export type WebhookMessage = { [Type in EventType]: WebhookMessageOf<Type> }[EventType]
/** The event of one type, with its record as `data`: `EventOf<'bill.paid'>`. */
export type EventOf<Type extends EventType> = WebhookMessageOf<Type>['data']

/** The header fields of a request, in whichever form the server has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** How far the clocks of both sides may be apart, and how long a request may be on its way: 300 seconds unless said. */
  toleranceSeconds?: number
  now?: () => Date
}

/** A request that was not proved to come from Lading. Answer it with a 4xx, and do nothing else about it. */
export class WebhookVerificationError extends Error {
  readonly code: 'missing_header' | 'bad_timestamp' | 'wrong_signature' | 'bad_body'
  constructor(code: WebhookVerificationError['code'], message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.code = code
  }
}

/**
 * Checks the signature of a request and reads it. `body` is the body as it arrived, byte for byte: one that was parsed and written again has another
 * signature. `secret` is that of the webhook (`whsec_…`), or several while one is being replaced.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = () => new Date() }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const id = fieldOf(headers, 'webhook-id')
  const timestamp = fieldOf(headers, 'webhook-timestamp')
  const signatures = fieldOf(headers, 'webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => signature.slice(3))
  const apart = Math.abs(now().getTime() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || apart > toleranceSeconds) {
    throw new WebhookVerificationError(
      'bad_timestamp',
      `The request is of another time (webhook-timestamp ${timestamp}): it is refused, so that nobody can repeat it.`,
    )
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const one of [secret].flat()) if (await isSignedBy(one, signed, signatures)) return read(text)
  throw new WebhookVerificationError(
    'wrong_signature',
    'No signature of the request is right: it was signed with another secret, or changed on its way.',
  )
}

async function isSignedBy(secret: string, signed: Uint8Array, signatures: readonly string[]): Promise<boolean> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new TypeError('The secret of a webhook is whsec_ and base64 behind it.')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const signature of signatures) {
    const sent = bytesOf(signature)
    if (sent && (await crypto.subtle.verify('HMAC', key, sent, signed as Uint8Array<ArrayBuffer>))) return true
  }
  return false
}

/** Null for what is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function fieldOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = typeof value === 'string' ? value : value?.[0]
  if (!text)
    throw new WebhookVerificationError(
      'missing_header',
      `The request has no ${name}, so it is no delivery of a webhook.`,
    )
  return text
}

function read(text: string): WebhookMessage {
  try {
    return JSON.parse(text) as WebhookMessage
  } catch {
    throw new WebhookVerificationError('bad_body', 'The body is not JSON.')
  }
}
