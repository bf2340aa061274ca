import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../../context.ts'
import { conflict, invalid, Refusal } from '../../core/refusal.ts'
import type { Answer } from '../answers/answers.ts'
import { isDryRunName } from '../input/preferences.ts'
import { findAnswer, type KeptAnswer, lockKey, saveAnswer } from './idempotency-store.ts'

type Handler = (request: FastifyRequest) => Promise<Answer>

/**
 * Bodies with few possible values, such as the number of an account, could be guessed from a hash by trying them all. What is kept of these is signed with
 * a key that is not in the database. `like` is one that was kept, whose key is to be used again.
 */
export type Guard = { covers(body: unknown): boolean; sign(text: string, like?: string): string }

/**
 * `Idempotency-Key` on every write. The answer is kept in the very transaction of the effect: after a crash either both are there, and the
 * retry is answered from the record, or neither is, and the retry does the work. Refusals change nothing and are not kept.
 */
export function keepAnswers(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRoute', (route) => {
    const writes = [route.method].flat().some((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
    // Who has no token has no organization, in which an answer could be kept.
    if (writes && route.config?.scope !== 'none')
      route.handler = atMostOnce(route.handler as unknown as Handler, guard) as never
  })
}

function atMostOnce(handler: Handler, guard: Guard): Handler {
  return async function (this: unknown, request) {
    const key = request.headers['idempotency-key']
    if (key === undefined) return handler.call(this, request)
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalid(
        'Idempotency-Key',
        'bad_idempotency_key',
        'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
      )
    }
    return transaction(request.ctx, async (ctx) => {
      const client = request.token.client_id
      const plain = fingerprintOf(request)
      const fingerprint = (like?: string) => (guard.covers(request.body) ? guard.sign(plain, like) : plain)
      await requireLock(ctx, client, key)
      const kept = await findAnswer(ctx, client, key)
      if (kept) return replay(kept, fingerprint(kept.fingerprint))
      request.ctx = ctx
      const answer = await handler.call(this, request)
      await saveAnswer(ctx, client, key, { ...answer, body: answer.kept ?? answer.body, fingerprint: fingerprint() })
      return answer
    })
  }
}

function replay({ status, headers, body, ...kept }: KeptAnswer, fingerprint: string): Answer {
  if (kept.fingerprint === fingerprint) return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body }
  throw new Refusal(
    'mismatch',
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Make a new key for each thing you want done.',
  )
}

/** A second request with the key does not wait for the first: the answer asks to come back later. */
async function requireLock(ctx: Context, client: string, key: string): Promise<void> {
  if (!(await lockKey(ctx, client, key)))
    throw conflict(
      'idempotency_key_in_flight',
      'A request with this Idempotency-Key is still being worked on. Wait for it, then repeat this one to get its answer.',
    )
}

/** Who asks is part of what is asked: nobody is answered with what another user of the application was answered. */
function fingerprintOf({ method, url, body, rows, headers, token, isTry }: FastifyRequest): string {
  // A dry run with the key of a request is answered as that request was.
  const asked = isTry ? withoutDryRun(url) : url
  return createHash('sha256')
    .update(JSON.stringify([token.sub, method, asked, headers['if-match'] ?? null, body ?? null, rows ?? null]))
    .digest('base64url')
}

function withoutDryRun(url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const rest = query.split('&').filter((part) => ![...new URLSearchParams(part).keys()].some(isDryRunName))
  return rest.length > 0 ? `${path}?${rest.join('&')}` : path
}
