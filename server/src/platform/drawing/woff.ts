import { inflateSync } from 'node:zlib'
import { sfntOf } from './sfnt.ts'

/**
 * A WOFF file as the TrueType file that it was (W3C: a header of 44 bytes, then a record of 20 bytes for each table).
 * The library reads WOFF too, but unpacks a table again for each glyph, which takes a second for a page.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, n) => {
    const at = 44 + n * 20
    const [offset, packed, size] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8), woff.readUInt32BE(at + 12)]
    const bytes = woff.subarray(offset, offset + packed)
    return { tag: woff.toString('latin1', at, at + 4), content: packed < size ? inflateSync(bytes) : bytes }
  })
  return sfntOf(woff.readUInt32BE(4), tables)
}
