import { brotliDecompressSync } from 'node:zlib'
import { type FontTable, sfntOf } from './sfnt.ts'
import { glyphsOf } from './woff2-glyphs.ts'

/** The tags of the tables, by the numbers that stand for them in the file (WOFF 2.0, section 4.1). */
const knownTags = [
  ...[
    'cmap',
    'head',
    'hhea',
    'hmtx',
    'maxp',
    'name',
    'OS/2',
    'post',
    'cvt ',
    'fpgm',
    'glyf',
    'loca',
    'prep',
    'CFF ',
    'VORG',
    'EBDT',
  ],
  ...[
    'EBLC',
    'gasp',
    'hdmx',
    'kern',
    'LTSH',
    'PCLT',
    'VDMX',
    'vhea',
    'vmtx',
    'BASE',
    'GDEF',
    'GPOS',
    'GSUB',
    'EBSC',
    'JSTF',
    'MATH',
  ],
  ...[
    'CBDT',
    'CBLC',
    'COLR',
    'CPAL',
    'SVG ',
    'sbix',
    'acnt',
    'avar',
    'bdat',
    'bloc',
    'bsln',
    'cvar',
    'fdsc',
    'feat',
    'fmtx',
    'fvar',
  ],
  ...[
    'gvar',
    'hsty',
    'just',
    'lcar',
    'mort',
    'morx',
    'opbd',
    'prop',
    'trak',
    'Zapf',
    'Silf',
    'Glat',
    'Gloc',
    'Feat',
    'Sill',
  ],
]

type Entry = { tag: string; isTransformed: boolean; size: number }

/**
 * A WOFF 2.0 file as the TrueType file that it was. The library reads WOFF 2.0 too, but it can put no part of such a font into a PDF: the outlines are in
 * another form there.
 */
export function unpackWoff2(woff: Buffer): Buffer {
  const { entries, end } = directoryOf(woff)
  const content = brotliDecompressSync(woff.subarray(end, end + woff.readUInt32BE(20)))
  let offset = 0
  const tables = entries.map((entry) => {
    offset += entry.size
    return { ...entry, content: content.subarray(offset - entry.size, offset) }
  })
  return sfntOf(woff.readUInt32BE(4), restored(tables))
}

function directoryOf(woff: Buffer): { entries: Entry[]; end: number } {
  let at = 48
  const base128 = () => {
    for (let value = 0; ; ) {
      const byte = woff.readUInt8(at++)
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  const entries = Array.from({ length: woff.readUInt16BE(12) }, () => {
    const flags = woff.readUInt8(at++)
    const known = knownTags[flags & 63]
    const tag = known ?? woff.toString('latin1', at, at + 4)
    if (!known) at += 4
    // Outlines are transformed unless it says otherwise; any other table only where it says so.
    const isTransformed = tag === 'glyf' || tag === 'loca' ? flags >> 6 !== 3 : flags >> 6 !== 0
    const original = base128()
    return { tag, isTransformed, size: isTransformed ? base128() : original }
  })
  return { entries, end: at }
}

function restored(tables: readonly (FontTable & Entry)[]): FontTable[] {
  const outlines = tables.find(({ tag, isTransformed }) => tag === 'glyf' && isTransformed)
  const other = tables.find(({ tag, isTransformed }) => isTransformed && tag !== 'glyf' && tag !== 'loca')
  if (other) throw new Error(`The table ${other.tag} of a font is in a form that is not read here.`)
  if (!outlines) return [...tables]
  const made = glyphsOf(outlines.content)
  return tables.map(({ tag, content }) => {
    if (tag === 'glyf') return { tag, content: made.glyf }
    if (tag === 'loca') return { tag, content: made.loca }
    return { tag, content: tag === 'head' ? withLongOffsets(content) : content }
  })
}

/** The places of the outlines are written with four bytes each, which the table `head` has to say. */
function withLongOffsets(head: Buffer): Buffer {
  const changed = Buffer.from(head)
  changed.writeInt16BE(1, 50)
  return changed
}
