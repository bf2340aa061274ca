import { outlineOf, type Point, padToFour } from './outline.ts'

/** The outlines of a font from the form that they have in a WOFF 2.0 file (section 5.1): the parts of all glyphs stand in streams, each of its own kind. */

type Stream = { at: number; readonly bytes: Buffer }
type Streams = Record<'contours' | 'points' | 'flags' | 'glyphs' | 'composites' | 'boxes' | 'instructions', Stream>

const names = ['contours', 'points', 'flags', 'glyphs', 'composites', 'boxes', 'instructions'] as const

/** The tables `glyf` and `loca`, the latter with four bytes for each place. */
export function glyphsOf(table: Buffer): { glyf: Buffer; loca: Buffer } {
  const count = table.readUInt16BE(4)
  const streams = streamsOf(table)
  const boxes = streams.boxes
  // First a bit for each glyph that has its box written down, filled to four bytes.
  boxes.at = Math.ceil(count / 32) * 4
  const hasBox = (glyph: number) => ((boxes.bytes[glyph >> 3] as number) & (128 >> (glyph & 7))) !== 0
  const loca = Buffer.alloc((count + 1) * 4)
  const parts: Buffer[] = []
  let offset = 0
  for (let glyph = 0; glyph < count; glyph++) {
    const contours = streams.contours.bytes.readInt16BE(glyph * 2)
    const box = hasBox(glyph) ? take(boxes, 8) : null
    const bytes = padToFour(
      contours > 0
        ? simpleGlyph(streams, contours, box)
        : contours < 0
          ? compositeGlyph(streams, box)
          : Buffer.alloc(0),
    )
    parts.push(bytes)
    offset += bytes.length
    loca.writeUInt32BE(offset, (glyph + 1) * 4)
  }
  return { glyf: Buffer.concat(parts), loca }
}

function streamsOf(table: Buffer): Streams {
  let at = 8 + names.length * 4
  const streams = names.map((name, n) => {
    const size = table.readUInt32BE(8 + n * 4)
    at += size
    return [name, { at: 0, bytes: table.subarray(at - size, at) }] as const
  })
  return Object.fromEntries(streams) as Streams
}

function simpleGlyph(
  { points: counts, flags, glyphs, instructions }: Streams,
  contours: number,
  box: Buffer | null,
): Buffer {
  const ends: number[] = []
  for (let contour = 0; contour < contours; contour++) ends.push((ends.at(-1) ?? -1) + short(counts))
  const points = pointsOf(flags, glyphs, (ends.at(-1) as number) + 1)
  return outlineOf({ points, ends, program: take(instructions, short(glyphs)), ...(box && { edges: edgesIn(box) }) })
}

/** A glyph made of others. What it is made of is written as in TrueType, so it is taken as it is. */
function compositeGlyph({ composites, glyphs, instructions }: Streams, box: Buffer | null): Buffer {
  const from = composites.at
  let flags: number
  do {
    flags = composites.bytes.readUInt16BE(composites.at)
    const places = flags & 1 ? 4 : 2
    const scale = flags & 8 ? 2 : flags & 64 ? 4 : flags & 128 ? 8 : 0
    composites.at += 4 + places + scale
  } while (flags & 32)
  const components = composites.bytes.subarray(from, composites.at)
  const head = Buffer.alloc(10)
  head.writeInt16BE(-1, 0)
  box?.copy(head, 2)
  if (!(flags & 256)) return Buffer.concat([head, components])
  const program = take(instructions, short(glyphs))
  const size = Buffer.alloc(2)
  size.writeUInt16BE(program.length)
  return Buffer.concat([head, components, size, program])
}

/** Each point as the way from the one before: how it is written, the flag says (section 5.2). */
function pointsOf(flags: Stream, glyphs: Stream, count: number): Point[] {
  const byte = () => glyphs.bytes.readUInt8(glyphs.at++)
  const signed = (isPositive: number, value: number) => (isPositive & 1 ? value : -value)
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (let n = 0; n < count; n++) {
    const written = flags.bytes.readUInt8(flags.at++)
    const flag = written & 127
    if (flag < 10) y += signed(flag, ((flag & 14) << 7) + byte())
    else if (flag < 20) x += signed(flag, (((flag - 10) & 14) << 7) + byte())
    else if (flag < 84) {
      const [high, low] = [flag - 20, byte()]
      x += signed(flag, 1 + (high & 0x30) + (low >> 4))
      y += signed(flag >> 1, 1 + ((high & 0x0c) << 2) + (low & 0x0f))
    } else if (flag < 120) {
      const high = flag - 84
      x += signed(flag, 1 + (Math.floor(high / 12) << 8) + byte())
      y += signed(flag >> 1, 1 + (((high % 12) >> 2) << 8) + byte())
    } else if (flag < 124) {
      const [first, second, third] = [byte(), byte(), byte()]
      x += signed(flag, (first << 4) + (second >> 4))
      y += signed(flag >> 1, ((second & 0x0f) << 8) + third)
    } else {
      const [first, second, third, fourth] = [byte(), byte(), byte(), byte()]
      x += signed(flag, (first << 8) + second)
      y += signed(flag >> 1, (third << 8) + fourth)
    }
    points.push({ x, y, isOnCurve: written < 128 })
  }
  return points
}

function edgesIn(box: Buffer): number[] {
  return [0, 2, 4, 6].map((at) => box.readInt16BE(at))
}

/** A number of one to three bytes (section 4.2, `255UInt16`). */
function short(stream: Stream): number {
  const first = stream.bytes.readUInt8(stream.at++)
  if (first === 253) {
    stream.at += 2
    return stream.bytes.readUInt16BE(stream.at - 2)
  }
  if (first === 255) return stream.bytes.readUInt8(stream.at++) + 253
  if (first === 254) return stream.bytes.readUInt8(stream.at++) + 253 * 2
  return first
}

function take(stream: Stream, size: number): Buffer {
  stream.at += size
  return stream.bytes.subarray(stream.at - size, stream.at)
}
