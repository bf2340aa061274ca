import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { named } from '../core/schema/names.ts'
import type { Answer } from '../http/answers/answers.ts'
import { rangeIn } from '../http/answers/ranges.ts'
import { dispositionOf } from './contents/file-names.ts'
import { isShown, mediaTypes } from './contents/media-types.ts'
import type { Storage } from './storage/storage.ts'
import type { FoundDocument } from './store.ts'

/** What a route that answers files offers. */
export const offered: readonly string[] = ['*/*', ...mediaTypes.map(({ type }) => type)]

export const Inline = Type.Object({
  inline: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether a browser may show it, where it is a PDF or a picture.',
      examples: [true],
    }),
  ),
})

/** How a file is described as an answer. */
export const fileAnswer = {
  description: 'The file.',
  content: {
    'application/octet-stream': {
      schema: named(
        'FileBytes',
        Type.String({ description: 'The bytes, under their own media type.', examples: ['%PDF-1.4 …'] }),
      ),
    },
  },
} as never

/** Nothing in it can run: it is saved, or shown without the right to do anything, under the type that was found in it and no other. */
export async function download(
  request: FastifyRequest,
  storage: Storage,
  found: FoundDocument,
  inline: boolean,
): Promise<Answer> {
  const { ctx, method, headers } = request
  const { file_name, media_type, size, sha256 } = found
  const etag = `"${sha256}"`
  const range =
    headers['if-range'] === undefined || headers['if-range'] === etag ? rangeIn(headers.range, size) : undefined
  const { first, last } = range ?? { first: 0, last: size - 1 }
  const answer: Answer = {
    status: range ? 206 : 200,
    headers: {
      etag,
      'content-type': media_type,
      'content-disposition': dispositionOf(inline && isShown(media_type) ? 'inline' : 'attachment', file_name),
      'content-length': String(last - first + 1),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      // Kept by the browser alone, which asks each time whether it may still be seen.
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
    },
    body: null,
    plain: true,
  }
  if (method === 'HEAD' || isSame(headers['if-none-match'], etag)) return { ...answer, stream: Readable.from([]) }
  return { ...answer, stream: await storage.read({ org: ctx.org, sha256 }, range && { first, last }) }
}

/** Answered 304, so nothing need be read. */
function isSame(header: string | undefined, etag: string): boolean {
  return header !== undefined && (header.trim() === '*' || header.includes(etag))
}
