import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './conditional.ts'
import { codingFor } from './media.ts'

/** A text as it is kept: small. `tag` names it. */
export type CompressedText = { tag: string; br: Buffer; gzip: Buffer }
type Manner = { type: string; cacheControl: (request: FastifyRequest, tag: string) => string }

/** Answers with a text that stays as it is while the process lives: made when first asked for, compressed once, and kept only so. */
export function prepared(make: () => Promise<string | CompressedText>, { type, cacheControl }: Manner) {
  const kept = once(async () => {
    const made = await make()
    return typeof made === 'string' ? { tag: tagOf(made), ...(await compress(Buffer.from(made))) } : made
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { tag, ...bytes } = await kept()
    const coding = codingFor(request.headers['accept-encoding'] as string | undefined, ['br', 'gzip'])
    // Strong, so it names the bytes: another coding is another tag.
    const etag = `"${tag}-${coding}"`
    const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ')
    reply.headers({ etag, vary, 'cache-control': cacheControl(request, tag) })
    if (isKnown(request, etag)) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.type(type).send(coding === 'identity' ? await promisify(gunzip)(bytes.gzip) : bytes[coding])
  }
}

/** Off the event loop. Brotli at quality 9 takes five times as long as at 5, and saves 4 % more of the largest text we have. */
export async function compress(bytes: Buffer): Promise<Omit<CompressedText, 'tag'>> {
  const brotli = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return { br: await promisify(brotliCompress)(bytes, { params: brotli }), gzip: await promisify(gzip)(bytes) }
}

export function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Made once for all callers; after a failure the next caller tries again. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
