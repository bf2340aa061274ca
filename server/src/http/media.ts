import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid, quote, Refusal } from '../core/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The forms in which a route can answer, best first, where that is not JSON alone. */
    offers?: readonly string[]
    /** The one form of body that a route takes, where that is not JSON. */
    takes?: string
  }
}

export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json' || preferredOf(accept, ['application/json']) !== undefined
}

/** Browsers name HTML when they open a page; programs, and the scripts of pages, do not. */
export function prefersPage(accept = ''): boolean {
  return /\btext\/html\b/i.test(accept) && preferredOf(accept, ['text/html', 'application/json']) === 'text/html'
}

/** The offer that a caller likes best, the first among equals. By RFC 9110 the most specific range decides, and a weight of 0 means "not this". */
export function preferredOf<T extends string>(accept: string | undefined, offers: readonly T[]): T | undefined {
  if (accept === undefined || accept === '') return offers[0]
  const weights = weightsIn(accept)
  const weightOf = (offer: string) => weights.get(offer) ?? weights.get(`${offer.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
  const [best] = offers.filter((offer) => weightOf(offer) > 0).sort((one, other) => weightOf(other) - weightOf(one))
  return best
}

function weightsIn(accept: string): Map<string, number> {
  return new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [type, weight ? Number(weight.slice(2)) : 1]
    }),
  )
}

export function unacceptable(accept: string | undefined, offers: readonly string[]): Refusal {
  return new Refusal('not_acceptable', 'not_acceptable', `This answers ${offers.join(' or ')}, which Accept: ${quote(accept)} rules out.`)
}

/** For the routes of this plugin alone: bodies are text in this form. How large they may be is the `bodyLimit` of the route. */
export function acceptTextBodies(app: FastifyInstance, type: string): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
    if (isUtf8(body as Buffer)) done(null, body.toString())
    else done(invalid('', 'not_utf8', 'The body is not UTF-8. Save it as UTF-8.'))
  })
}

/** The text of such a body; none at all is refused. */
export function textIn({ body }: FastifyRequest, type: string): string {
  if (typeof body === 'string' && body !== '') return body
  throw new Refusal('invalid', 'body_required', `This request needs a body; send one, with Content-Type: ${type}.`)
}
