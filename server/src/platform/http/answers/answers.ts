import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, type WireRecord } from '../../core/schema/revisions.ts'
import { sendPlain } from './compress.ts'
import { isKnown } from './conditional.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON that it was answered with, without a secret that is shown once; null where there was none, and of a stream. */
    answerText: string | null
  }
}

/** What a handler of the API returns. The body is JSON text already, most often as the database made it. */
export type Answer = {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
  /** Sent instead of the body, as it is made; the header `content-type` says what it is. Should it fail, the connection breaks. */
  stream?: Readable
  /** Shows more than its revision covers: a caller that has this revision may still have seen something else. */
  shifting?: boolean
  /** Never compressed: parts of it can be asked for by their place. */
  plain?: boolean
  /** What to keep for a replay and in the request log instead of the body, when that holds a secret which must not be stored. */
  kept?: string
}

export function ok(body: string): Answer {
  return { status: 200, headers: {}, body }
}

/** One record under its name, such as `{"bill_item_type": {…}}`. */
export function record(name: string, { revision, json }: WireRecord, extra: Record<string, string> = {}): Answer {
  return { status: 200, headers: { etag: etagOf(revision), ...extra }, body: `{"${name}":${json}}` }
}

/** A record whose JSON is the whole answer already. */
export function revised({ revision, json }: WireRecord, extra: Record<string, string> = {}): Answer {
  return { status: 200, headers: { etag: etagOf(revision), ...extra }, body: json }
}

/** The JSON text of an answer with these fields after its own. */
export function withFields(json: string, fields: object): string {
  return `${json.slice(0, -1)},${JSON.stringify(fields).slice(1)}`
}

export function created(answer: Answer, location: string): Answer {
  return { ...answer, status: 201, headers: { ...answer.headers, location } }
}

export const noContent: Answer = { status: 204, headers: {}, body: null }

/** Sends what the handlers below it return; a GET whose caller has that revision already is answered 304. */
export function sendAnswers(app: FastifyInstance): void {
  app.decorateRequest('answerText', null)
  app.addHook('onRoute', (route) => {
    const handler = route.handler as unknown as (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>
    route.handler = async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      const answer = await handler.call(this, request, reply)
      send(request, reply, answer)
      // For one who returns a reply Fastify waits until it has been sent, which costs something even where it has. Streams, and long answers that
      // another thread compresses, have not.
      return reply.sent ? undefined : reply
    }
  })
}

/** Named in it are the fields that nobody knows, and those that the handler ignores. */
const ignored = 'x-ignored-fields'

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, stream, shifting = false, plain = false, kept }: Answer,
): void {
  const unknown = reply.getHeader(ignored)
  reply.headers(headers)
  if (unknown !== undefined && headers[ignored] !== undefined) reply.header(ignored, `${headers[ignored]}, ${unknown}`)
  if (kept !== undefined || plain) sendPlain(reply)
  if (!shifting && isKnown(request, headers.etag)) {
    reply.code(304).send()
    return
  }
  reply.code(status)
  if (stream) reply.send(stream)
  else if (body === null) reply.send()
  else {
    request.answerText = kept ?? body
    reply.header('content-type', 'application/json; charset=utf-8').send(body)
  }
}
