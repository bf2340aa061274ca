import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import * as fontkit from 'fontkit'

export type Font = { layout: unknown; hasGlyphForCodePoint(codePoint: number): boolean }
export type Weight = 400 | 700

/** In this order: a character is set in the first that has it. */
const files = [
  ...['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese', 'devanagari'].map((script) => ['noto-sans', script]),
  ['noto-sans-arabic', 'arabic'],
  ['noto-sans-hebrew', 'hebrew'],
] as const

const { resolve } = createRequire(import.meta.url)
const loaded = new Map<string, Font>()

/** The fonts that characters of a text are set in, the first of them for most. Each is read when a document first needs it, and stays. */
export function fontFor(codePoint: number, weight: Weight): Font {
  for (const [family, script] of files) {
    const font = load(`@fontsource/${family}/files/${family}-${script}-${weight}-normal.woff`)
    if (font.hasGlyphForCodePoint(codePoint)) return font
  }
  return load(`@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff`)
}

function load(name: string): Font {
  const known = loaded.get(name)
  if (known) return known
  const font = fontkit.create(unpacked(readFileSync(resolve(name)))) as unknown as Font
  loaded.set(name, font)
  return font
}

/**
 * The tables of a WOFF file put together as the TrueType file that they were (RFC by the W3C: a header of 44 bytes, then a record of 20 bytes for each table).
 * The library reads WOFF too, but unpacks a table again for each glyph, which takes a second for a page.
 */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, n) => {
    const at = 44 + n * 20
    const [offset, packed, size] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8), woff.readUInt32BE(at + 12)]
    const bytes = woff.subarray(offset, offset + packed)
    return { tag: woff.subarray(at, at + 4), checksum: woff.readUInt32BE(at + 16), content: packed < size ? inflateSync(bytes) : bytes }
  })
  const head = Buffer.alloc(12 + count * 16)
  woff.copy(head, 0, 4, 8)
  const steps = Math.floor(Math.log2(count))
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(2 ** steps * 16, 6)
  head.writeUInt16BE(steps, 8)
  head.writeUInt16BE(count * 16 - 2 ** steps * 16, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [n, { tag, checksum, content }] of tables.entries()) {
    const at = 12 + n * 16
    tag.copy(head, at)
    head.writeUInt32BE(checksum, at + 4)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(content.length, at + 12)
    const padding = Buffer.alloc((4 - (content.length % 4)) % 4)
    parts.push(content, padding)
    offset += content.length + padding.length
  }
  return Buffer.concat(parts)
}
