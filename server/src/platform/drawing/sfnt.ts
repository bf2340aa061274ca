/** A table of a font file. */
export type FontTable = { tag: string; content: Buffer }

/** The tables put together as a TrueType file. Checksums are left out: nothing that reads it here looks at them. */
export function sfntOf(flavor: number, tables: readonly FontTable[]): Buffer {
  const count = tables.length
  const head = Buffer.alloc(12 + count * 16)
  const steps = Math.floor(Math.log2(count))
  head.writeUInt32BE(flavor, 0)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(2 ** steps * 16, 6)
  head.writeUInt16BE(steps, 8)
  head.writeUInt16BE(count * 16 - 2 ** steps * 16, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [n, { tag, content }] of tables.entries()) {
    const at = 12 + n * 16
    head.write(tag, at, 'latin1')
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(content.length, at + 12)
    const padding = Buffer.alloc((4 - (content.length % 4)) % 4)
    parts.push(content, padding)
    offset += content.length + padding.length
  }
  return Buffer.concat(parts)
}
