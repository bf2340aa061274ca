import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { quote, Refusal, type RefusalKind } from '../../core/refusal.ts'
import { newId } from '../../core/values/ids.ts'
import { refusalFor } from '../../db/pool/trouble.ts'
import { addSecurityHeaders, pathOf } from './edge.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The refusal that it was answered with. */
    refused?: Pick<Refusal, 'code' | 'message' | 'details'>
  }
}

/** The one table from the domain's words to HTTP's numbers. */
export const statusOf: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  gone: 410,
  stale: 412,
  too_large: 413,
  unsupported_media: 415,
  mismatch: 422,
  too_many: 429,
  unavailable: 503,
}

/** The only author of error bodies. Whatever is no refusal is a bug: logged in full, answered 500, nothing revealed. */
export function answerError(
  error: FastifyError | Refusal | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal =
    error instanceof Refusal ? error : (refusalFromFastify(error as FastifyError, request) ?? refusalFor(error))
  if (!refusal) request.log.error({ request_id: request.id, err: error }, 'a request failed through a fault of ours')
  else if (refusal.kind === 'unavailable')
    request.log.warn({ request_id: request.id, err: refusal.cause ?? refusal }, refusal.message)
  const status = refusal ? statusOf[refusal.kind] : 500
  const refused = refusal ?? fault
  const help = `${request.server.errorsPage}#${refused.code}`
  const text = JSON.stringify(bodyOf(refused, { status, help, request }))
  Object.assign(request, { refused, answerText: text })
  reply.header('link', `<${help}>; rel="help"`)
  if (refusal) reply.headers(refusal.headers)
  // No hook runs for a path that cannot be decoded, so its answer gets these headers here.
  addSecurityHeaders(request, reply)
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}

const fault = {
  code: 'internal_error',
  message: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  details: [],
}

type Facts = Pick<Refusal, 'code' | 'message' | 'details'> & Partial<Pick<Refusal, 'outcome'>>

type Answering = { status: number; help: string; request: FastifyRequest }

/** `doc_url` comes last: what is in front of it is what was promised first. */
function bodyOf(facts: Facts, { status, help, request }: Answering) {
  if (/^\/api\/v2(?:\/|$)/.test(pathOf(request))) return { ...inV2(facts, status), requestId: request.id, docUrl: help }
  const { code, message, details, outcome } = facts
  return {
    error_code: code,
    error_message: message,
    details,
    ...(outcome && { outcome }),
    request_id: request.id,
    doc_url: help,
  }
}

/** A refusal in v2's form, of a whole request or of one row of it. */
export function refusalInV2(refusal: Refusal): object {
  return inV2(refusal, statusOf[refusal.kind])
}

function inV2({ code, message, details, outcome }: Facts, status: number) {
  const messages = details.length > 1 ? details.map((detail) => detail.message) : message
  return {
    statusCode: status,
    error: STATUS_CODES[status],
    message: messages,
    code,
    details,
    ...(outcome && { outcome }),
  }
}

/** Fastify refuses some requests before they reach us; its words become ours. */
function refusalFromFastify(error: FastifyError, request: FastifyRequest): Refusal | null {
  if (request.raw.readableAborted)
    return new Refusal('invalid', 'aborted', 'The connection closed before the body had arrived.')
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal(
        'too_large',
        'body_too_large',
        `The body is larger than ${mebibytesOf(request)} MiB. ${insteadOf(request)}`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal(
        'unsupported_media',
        'unsupported_media_type',
        `${bodyOughtToBe(request)}, not ${quote(request.headers['content-type'] ?? '')}.`,
      )
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('invalid', 'bad_content_length', 'The body is not as long as Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return new Refusal('invalid', 'bad_url', 'The path is not properly percent-encoded.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('invalid', 'bad_url', 'A part of the path is too long.')
    default:
      // Anything else that Fastify refuses is the caller's mistake; its messages quote the request and nothing of ours.
      return error.code?.startsWith('FST_') && error.statusCode === 400
        ? new Refusal('invalid', 'bad_request', error.message)
        : null
  }
}

function mebibytesOf({ routeOptions }: FastifyRequest): number {
  return (routeOptions.bodyLimit ?? 2 ** 20) / 2 ** 20
}

function insteadOf({ routeOptions }: FastifyRequest): string {
  const { inBackground } = routeOptions.config
  return inBackground ? `Send it to ${inBackground}, which takes larger ones.` : 'Send less at a time.'
}

function bodyOughtToBe({ routeOptions }: FastifyRequest): string {
  const { takes } = routeOptions.config
  return takes
    ? `The body must be ${takes}: send Content-Type: ${takes}`
    : 'The body must be JSON: send Content-Type: application/json'
}

/** Closed at once while the client still sends, a connection is reset, and the client may lose the answer. */
const lingerMs = 500

/** For what is not even HTTP: there is no request to answer, only a connection to write to and close. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  // It goes on sending after it was refused, and is closed in a moment.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, code, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'headers_too_large', 'The address and the header fields are larger than 16 KiB together.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'request_timeout', 'The request took too long to arrive.']
        : [400, 'bad_http', 'This is not a well-formed HTTP request.']
  const id = newId()
  const body = JSON.stringify({ error_code: code, error_message: message, details: [], request_id: id })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status as number]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Whether or not the client closes its side.
  setTimeout(() => socket.destroy(), lingerMs)
}
