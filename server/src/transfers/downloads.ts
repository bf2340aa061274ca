import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { type File, findNextPart, findPartAt, type Part } from './parts-store.ts'

/** A part of a file, by the places of its first and its last byte. */
export type ByteRange = { first: number; last: number }

/** The bytes of a file, part by part, when their reader has taken the last. A part that is gone breaks the stream: it never ends as if complete. */
export function readBytes(ctx: Context, transfer: string, file: File, { first, last }: ByteRange): Readable {
  return Readable.from(bytesOf(ctx, transfer, file, { first, last }), { objectMode: false })
}

async function* bytesOf(ctx: Context, transfer: string, file: File, { first, last }: ByteRange): AsyncGenerator<Buffer> {
  let part: Part | undefined
  for (let next = first; next <= last; ) {
    part = part ? await findNextPart(ctx, transfer, file, part) : await findPartAt(ctx, transfer, file, next)
    if (!part || Number(part.first_byte) > next) throw new Error(`the ${file} of the transfer ${transfer} is not complete`)
    const begin = next - Number(part.first_byte)
    const bytes = part.content.subarray(begin, begin + last - next + 1)
    next += bytes.length
    yield bytes
  }
}

/** One range of a file of so many bytes, as RFC 9110 writes it. Undefined for any other: the answer is then the whole file, as the RFC allows. */
export function rangeIn(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const range = from === '' ? { first: Math.max(0, size - Number(to)), last: size - 1 } : { first: Number(from), last: Math.min(Number(to || size), size - 1) }
  return range.first <= range.last ? range : undefined
}
