import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/core/refusal.ts'
import { refusalFor } from '../../platform/db/pool/trouble.ts'
import { statusOf } from '../../platform/http/edge/errors.ts'
import { sendPage } from '../../platform/pages/layout.ts'
import { errorPage } from './pages.ts'

type Failure = { status: number; error: string; error_description: string }

/** The answer to programs whose request cannot even be read, in the form of RFC 6749. */
export function answerAsOAuth(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, ...body } = failureOf(error, request, reply)
  return reply.code(status).headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(body)
}

/** The same for people, as a page. */
export function answerAsPage(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, ...words } = failureOf(error, request, reply)
  return sendPage(reply, errorPage(status, words))
}

function failureOf(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): Failure {
  const error = thrown instanceof Refusal ? thrown : (refusalFor(thrown) ?? thrown)
  if (error instanceof Refusal) {
    reply.headers(error.headers)
    if (error.kind === 'unavailable') request.log.warn({ err: error.cause ?? error }, error.message)
    return {
      status: statusOf[error.kind],
      error: error.kind === 'unavailable' ? 'temporarily_unavailable' : 'invalid_request',
      error_description: error.message,
    }
  }
  const { statusCode: status = 500 } = error as FastifyError
  if (status >= 400 && status < 500)
    return { status, error: 'invalid_request', error_description: STATUS_CODES[status] ?? 'The request is wrong.' }
  request.log.error({ err: error }, 'a request failed through a fault of ours')
  return { status: 500, error: 'server_error', error_description: 'Something went wrong on our side. Try again.' }
}
