import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { invalid, quote, Refusal } from '../../core/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The forms in which a route can answer, best first, where that is not JSON alone. */
    offers?: readonly string[]
    /** The one form of body that a route takes, where that is not JSON. */
    takes?: string
    /** The request that takes a larger body in the background, where there is one. */
    inBackground?: string
  }
}

/** The two that nearly everyone sends are not worth the parsing. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === '*/*' || accept === 'application/json' || preferredOf(accept, ['application/json']) !== undefined
}

/** Browsers name HTML when they open a page; programs, and the scripts of pages, do not. */
export function prefersPage(accept = ''): boolean {
  return /\btext\/html\b/i.test(accept) && preferredOf(accept, ['text/html', 'application/json']) === 'text/html'
}

/** The offer that a caller likes best by its Accept header. Parameters such as charset=utf-8 do not matter: an offer has one form only. */
export function preferredOf<T extends string>(accept: string | undefined, offers: readonly T[]): T | undefined {
  if (accept === undefined || accept === '') return offers[0]
  const withoutParameters = accept.replace(/;\s*(?!q\s*=)[^;,]*/gi, '')
  return new Negotiator({ headers: { accept: withoutParameters } }).mediaType([...offers]) as T | undefined
}

/** The first of the codings that a caller takes by its Accept-Encoding header; one that takes none gets the bytes as they are. */
export function codingFor<T extends string>(accept: string | undefined, offers: readonly T[]): T | 'identity' {
  const taken = new Negotiator({ headers: { 'accept-encoding': accept } }).encodings([...offers])
  return offers.find((offer) => taken.includes(offer)) ?? 'identity'
}

export function unacceptable(accept: string | undefined, offers: readonly string[]): Refusal {
  return new Refusal(
    'not_acceptable',
    'not_acceptable',
    `This answers ${offers.join(' or ')}, which Accept: ${quote(accept)} rules out.`,
  )
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
