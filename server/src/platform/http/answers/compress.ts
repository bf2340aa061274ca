import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { codingFor } from './media.ts'

/** Below this the headers are most of an answer. */
const leastLength = 1024
/** Up to this it is done at once: to hand it to another thread would take longer. */
const mostAtOnce = 32 * 1024

/** Cheap settings: an answer is compressed once for one reader. */
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const gzipped = { level: 3 }
const brotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

type Coding = { now(text: string): Buffer; soon(text: string): Promise<Buffer>; stream(): Transform }

/** They are in order, the cheapest first. */
const codings = {
  zstd: {
    now: (text) => zstdCompressSync(text, zstd),
    soon: (text) => promisify(zstdCompress)(text, zstd),
    stream: () => createZstdCompress(zstd),
  },
  gzip: {
    now: (text) => gzipSync(text, gzipped),
    soon: (text) => promisify(gzip)(text, gzipped),
    stream: () => createGzip(gzipped),
  },
  br: {
    now: (text) => brotliCompressSync(text, brotli),
    soon: (text) => promisify(brotliCompress)(text, brotli),
    stream: () => createBrotliCompress(brotli),
  },
} satisfies Record<string, Coding>

const offers = Object.keys(codings) as (keyof typeof codings)[]
/** Callers send one of a few headers; reading one costs more than finding it here. */
const known = new Map<string, keyof typeof codings | 'identity'>()
const mostKnown = 100

const plain = new WeakSet<FastifyReply>()

/** For an answer with a secret in it: its length must not tell how much of the secret the caller's own words repeat. */
export function sendPlain(reply: FastifyReply): void {
  plain.add(reply)
}

/**
 * Compresses long answers for callers that ask for it, streams included. The ETag stays as it is: it is the revision of the record, nothing that is
 * answered here is kept by a cache, and no part of it is ever asked for.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isStream = payload instanceof Readable
    if (!isStream && (typeof payload !== 'string' || payload.length < leastLength)) return done()
    if (plain.has(reply)) return done()
    addVary(reply)
    const coding = chosen(request.headers['accept-encoding'])
    if (coding === 'identity') return done()
    reply.header('content-encoding', coding).removeHeader('content-length')
    const { now, soon, stream } = codings[coding]
    // Should the source fail, so does what is made of it, and the connection breaks instead of ending well.
    if (isStream)
      done(
        null,
        pipeline(payload, stream(), () => {}),
      )
    else if (payload.length <= mostAtOnce) done(null, now(payload))
    else
      soon(payload).then(
        (bytes) => done(null, bytes),
        (error) => done(error),
      )
  })
}

function chosen(accept: string | string[] | undefined): keyof typeof codings | 'identity' {
  if (typeof accept !== 'string') return 'identity'
  const before = known.get(accept)
  if (before) return before
  const coding = codingFor(accept, offers)
  if (known.size < mostKnown && accept.length < 100) known.set(accept, coding)
  return coding
}

function addVary(reply: FastifyReply): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before ? `${before}, Accept-Encoding` : 'Accept-Encoding')
}
