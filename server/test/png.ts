/** Pictures for tests. */
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour. */
export function pngOf(width: number, height: number): Buffer {
  // Each row begins with how it is filtered: not at all.
  const row = Buffer.alloc(width * 3 + 1, 90).fill(0, 0, 1)
  return pngFrom(width, height, 2, Buffer.concat(Array.from({ length: height }, () => row)))
}

/** One that unpacks to a hundred times what its size says. */
export function pngBomb(width: number, height: number): Buffer {
  return pngFrom(width, height, 6, Buffer.alloc(width * height * 8 * 100))
}

function pngFrom(width: number, height: number, colors: number, pixels: Buffer): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size.set([8, colors, 0, 0, 0], 8)
  const parts = [
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat(parts)
}

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length)
  bytes.writeUInt32BE(content.length)
  bytes.write(type, 4)
  content.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length)
  return bytes
}
