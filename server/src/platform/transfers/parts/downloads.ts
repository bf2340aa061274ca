import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import type { ByteRange } from '../../http/answers/ranges.ts'
import { type File, findNextPart, findPartAt, type Part } from './store.ts'

/** The bytes of a file, part by part, when their reader has taken the last. A part that is gone breaks the stream: it never ends as if complete. */
export function readBytes(ctx: Context, transfer: string, file: File, { first, last }: ByteRange): Readable {
  return Readable.from(bytesOf(ctx, transfer, file, { first, last }), { objectMode: false })
}

async function* bytesOf(
  ctx: Context,
  transfer: string,
  file: File,
  { first, last }: ByteRange,
): AsyncGenerator<Buffer> {
  let part: Part | undefined
  for (let next = first; next <= last; ) {
    part = part ? await findNextPart(ctx, transfer, file, part) : await findPartAt(ctx, transfer, file, next)
    if (!part || Number(part.first_byte) > next)
      throw new Error(`the ${file} of the transfer ${transfer} is not complete`)
    const begin = next - Number(part.first_byte)
    const bytes = part.content.subarray(begin, begin + last - next + 1)
    next += bytes.length
    yield bytes
  }
}
