import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import { scopeNames } from '../access/scopes.ts'
import { isId, newId, timeIn } from '../core/values/ids.ts'
import { pathOf } from '../http/edge/edge.ts'
import { asksForDryRun } from '../http/input/preferences.ts'
import { masked, maskedJson, maskedJsonText, maskedQuery, maskedText, namesSecret } from './masking.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body of a write as it was sent, for the request log. */
    sentBody: unknown
  }
  interface FastifyContextConfig {
    /** `false` where the answer holds something that is for its caller alone, and no mask would know it by its name. */
    answerLogged?: false
  }
}

/** A row of the log, by the names of its columns. */
export type Entry = {
  id: string
  occurred_at: Date
  method: string
  path: string
  query: string | null
  status: number
  duration_ms: number
  request_id: string
  client_id: string
  user_id: string | null
  idempotency_key: string | null
  prefer: string | null
  dry_run: boolean
  error_code: string | null
  error_message: string | null
  body: string | null
  body_cut: boolean
  body_type: string | null
  body_bytes: number | null
  answer_body: string | null
  answer_cut: boolean
  answer_type: string | null
  answer_scopes: readonly string[]
}

/** How many characters are kept of each. Of what a read was answered less: there are many, and it can be read again. */
export const longest = {
  path: 2_000,
  query: 4_000,
  prefer: 500,
  message: 2_000,
  body: 8_192,
  answer: 4_096,
  read: 2_048,
}

export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Holds on to what a write was sent, before other steps take it apart. Files that are imported are not held. */
export function holdSentBodies(app: FastifyInstance): void {
  app.decorateRequest('sentBody', undefined)
  const hold: preValidationHookHandler = (request, _reply, next) => {
    request.sentBody = request.body
    next()
  }
  app.addHook('onRoute', (route) => {
    const writes = [route.method].flat().some((method) => !isRead({ method }))
    if (writes && route.config?.takes === undefined) route.preValidation = [hold, ...[route.preValidation ?? []].flat()]
  })
}

/** What is kept of a request that was answered. */
export function entryOf(request: FastifyRequest, reply: FastifyReply): Entry {
  const { method, url, headers, token, sentBody } = request
  const id = newId()
  const mark = url.indexOf('?')
  const sent = sentBody === undefined || isRead(request) ? null : maskedJson(sentBody, longest.body)
  const hasBody = headers['content-type'] !== undefined && !isRead(request)
  return {
    id,
    occurred_at: timeIn(id),
    method,
    path: plain(pathOf(request), longest.path),
    query: mark === -1 ? null : plain(maskedQuery(url.slice(mark + 1), longest.query), longest.query),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    request_id: request.id,
    client_id: token.client_id,
    user_id: token.sub !== token.client_id && isId(token.sub) ? token.sub : null,
    idempotency_key: headers['idempotency-key'] === undefined ? null : plain(String(headers['idempotency-key']), 255),
    prefer:
      headers.prefer === undefined
        ? null
        : plain(maskedText(String(headers.prefer).slice(0, longest.prefer)), longest.prefer),
    dry_run: !isRead(request) && asksForDryRun(request),
    ...refusalOf(request),
    body: sent?.text ?? null,
    body_cut: sent?.cut ?? false,
    body_type: hasBody ? plain(headers['content-type'] as string, 200) : null,
    body_bytes: hasBody ? bytesOf(request) : null,
    ...answerOf(request, reply),
  }
}

function refusalOf({ refused }: FastifyRequest): Pick<Entry, 'error_code' | 'error_message'> {
  if (!refused) return { error_code: null, error_message: null }
  return {
    error_code: refused.code,
    error_message: repeatsSecret(refused) ? masked : plain(maskedText(refused.message), longest.message),
  }
}

/** Whether the words of a refusal may repeat a secret: those about such a field, and those that quote a body which nobody could read. */
function repeatsSecret({ code, details }: NonNullable<FastifyRequest['refused']>): boolean {
  return code === 'malformed_json' || details.some(namesSecret)
}

function answerOf(
  request: FastifyRequest,
  reply: FastifyReply,
): Pick<Entry, 'answer_body' | 'answer_cut' | 'answer_type' | 'answer_scopes'> {
  const { answerText, refused, method, token } = request
  const type = reply.getHeader('content-type')
  const isKept =
    answerText !== null &&
    method !== 'HEAD' &&
    (refused ? !repeatsSecret(refused) : request.routeOptions.config.answerLogged !== false)
  const shown = isKept ? maskedJsonText(answerText, isRead(request) && !refused ? longest.read : longest.answer) : null
  return {
    answer_body: shown?.text ?? null,
    answer_cut: shown?.cut ?? false,
    answer_type: type === undefined ? null : plain(String(type), 200),
    answer_scopes: scopeNames.filter((name) => token.scopes.has(name)),
  }
}

/** Null where nobody said how long the body is, as of one that was sent in chunks. */
function bytesOf({ headers, body }: FastifyRequest): number | null {
  const said = headers['content-length']
  if (said !== undefined && /^\d{1,15}$/.test(said)) return Number(said)
  return typeof body === 'string' ? Buffer.byteLength(body) : null
}

/** Text that PostgreSQL can keep. */
function plain(text: string, most: number): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
}
