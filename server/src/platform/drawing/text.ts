import makeBidi, { type Bidi } from 'bidi-js'
import { type Font, fontFor, type Language, languageOf, standardFont, type Weight } from './fonts.ts'

export type Style = { size: number; weight?: Weight; color?: string }
/** How a text is set, with the language whose forms its characters have. */
type Setting = Style & { language: Language }
export type Align = 'left' | 'right'

/** A piece of one line in one font, and how wide it is. */
type Piece = { text: string; font: Font; width: number }
export type Line = { pieces: readonly Piece[]; width: number }

/** What of the library is used here. */
type Pen = {
  font(font: Font, name: string): Pen
  fontSize(size: number): Pen
  fillColor(color: string): Pen
  widthOfString(text: string): number
  text(text: string, x: number, y: number, options: object): Pen
}

// A module of CommonJS, whose types describe its other form.
const bidi = (makeBidi as unknown as () => Bidi)()
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Sets texts of any script in lines: in fonts that have their characters, broken where they are too wide, and in the order in which they are read.
 * Of `all` texts of a document the language is taken where a text does not show its own.
 */
export function typesetter(doc: unknown, all: string) {
  const pen = doc as Pen
  const usual = languageOf(all) ?? 'sc'
  const widths = new Map<string, number>()

  /** The lines of a text in a column of this width; each line break in it begins a new one. */
  function linesOf(text: string, width: number, style: Style): Line[] {
    return text.split(/\r\n|\r|\n/).flatMap((written) => {
      if (isPlain(written)) return broken(written, width, { ...style, language: usual }, null)
      const setting = { ...style, language: languageOf(written) ?? usual }
      const paragraph = drawable(written, setting)
      return broken(paragraph, width, setting, bidi.getEmbeddingLevels(paragraph))
    })
  }

  function broken(paragraph: string, width: number, setting: Setting, levels: Levels): Line[] {
    return breaks(paragraph, width, setting).map(([start, end]) => lineOf(paragraph, start, end, levels, setting))
  }

  /** Draws on a baseline at `y`. */
  function draw(
    { pieces, width }: Line,
    x: number,
    y: number,
    style: Style,
    align: Align = 'left',
    within = width,
  ): void {
    let at = align === 'right' ? x + within - width : x
    pen.fontSize(style.size).fillColor(style.color ?? '#1a1d21')
    for (const { text, font, width } of pieces) {
      if (text.trim() !== '')
        pen.font(font, font.postscriptName).text(text, at, y, { lineBreak: false, baseline: 'alphabetic' })
      at += width
    }
  }

  /** Where each line begins and ends: as many words as fit, and of a word that is too wide as many characters. */
  function breaks(text: string, width: number, setting: Setting): [number, number][] {
    const found: [number, number][] = []
    let [start, end, used] = [0, 0, 0]
    const close = (next: number) => {
      found.push([start, end])
      start = end = next
      used = 0
    }
    for (const { 0: part, index } of text.matchAll(/\S+|\s+/g)) {
      const isSpace = part.trim() === ''
      const wide = widthOf(part, setting)
      if (used + wide <= width || isSpace) {
        // Spaces at the end of a line take no room in it.
        end = index + part.length
        used += wide
      } else {
        if (used > 0) close(index)
        if (wide <= width) {
          end = index + part.length
          used = wide
        } else {
          for (const { segment, index: within } of graphemes.segment(part)) {
            const more = widthOf(segment, setting)
            if (used > 0 && used + more > width) close(index + within)
            end = index + within + segment.length
            used += more
          }
        }
      }
    }
    return [...found, [start, end]]
  }

  function lineOf(text: string, start: number, end: number, levels: Levels, setting: Setting): Line {
    const shown = text.slice(start, end).trimEnd()
    const pieces = (
      levels === null
        ? piecesOf(shown, setting)
        : visualOrder(text, start, start + shown.length, levels).flatMap((run) => runPieces(run, setting))
    ).filter(({ text }) => text !== '')
    return { pieces, width: pieces.reduce((sum, piece) => sum + piece.width, 0) }
  }

  /** Of a run from right to left the last word stands first; within a word the font’s own rules put the letters in order. */
  function runPieces({ text, isRightToLeft }: Run, setting: Setting): Piece[] {
    if (!isRightToLeft) return piecesOf(text, setting)
    const words = text.match(/\S+|\s+/g) ?? []
    return words.reverse().flatMap((word) => piecesOf(word, setting).reverse())
  }

  function piecesOf(text: string, { weight = 400, size, language }: Setting): Piece[] {
    const pieces: { text: string; font: Font }[] = []
    if (isPlain(text)) return text === '' ? [] : [pieceOf(text, standardFont(weight), size)]
    for (const { segment } of graphemes.segment(text)) {
      const last = pieces.at(-1)
      // A space goes with what is before it, whatever font that has.
      const font =
        last && segment.trim() === '' ? last.font : (fontFor(segment, weight, language) ?? standardFont(weight))
      if (last?.font === font) last.text += segment
      else pieces.push({ text: segment, font })
    }
    return pieces.map(({ text, font }) => pieceOf(text, font, size))
  }

  function pieceOf(text: string, font: Font, size: number): Piece {
    return { text, font, width: pen.font(font, font.postscriptName).fontSize(size).widthOfString(text) }
  }

  function widthOf(text: string, setting: Setting): number {
    const key = `${setting.size} ${setting.weight ?? 400} ${setting.language} ${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    const width = piecesOf(text, setting).reduce((sum, piece) => sum + piece.width, 0)
    widths.set(key, width)
    return width
  }

  return { linesOf, draw, widthOf: (text: string, style: Style) => widthOf(text, { ...style, language: usual }) }
}
export type Typesetter = ReturnType<typeof typesetter>

type Levels = ReturnType<typeof bidi.getEmbeddingLevels> | null
type Run = { text: string; isRightToLeft: boolean }

/** The runs of a line as they stand from left to right (rule L2 of the Unicode bidirectional algorithm), with brackets turned where they are read from the right (L4). */
function visualOrder(text: string, start: number, end: number, embedding: NonNullable<Levels>): Run[] {
  if (start >= end) return []
  const { levels } = embedding
  const mirrored = bidi.getMirroredCharactersMap(text, levels, start, end - 1)
  const runs: { text: string; level: number }[] = []
  for (let at = start; at < end; at++) {
    const level = levels[at] as number
    const character = mirrored.get(at) ?? (text[at] as string)
    const last = runs.at(-1)
    if (last?.level === level) last.text += character
    else runs.push({ text: character, level })
  }
  for (let level = Math.max(...runs.map((run) => run.level)); level > 0; level--) reverseFrom(runs, level)
  return runs.map((run) => ({ text: run.text, isRightToLeft: run.level % 2 === 1 }))
}

/** Turns every sequence of runs of this level or above around. */
function reverseFrom(runs: { level: number }[], level: number): void {
  for (let from = 0; from < runs.length; from++) {
    let to = from
    while (to < runs.length && (runs[to] as { level: number }).level >= level) to++
    runs.splice(from, to - from, ...runs.slice(from, to).reverse())
    from = Math.max(from, to - 1)
  }
}

/**
 * The text with its characters as far as there is a font for them. Any other is written as its code point, such as `[U+0E01]`: whoever reads it sees that
 * something is missing, and what.
 */
function drawable(text: string, setting: Setting): string {
  let made = ''
  let missing: string[] = []
  const close = () => {
    if (missing.length > 0) made += `[${missing.join(' ')}]`
    missing = []
  }
  for (const { segment } of graphemes.segment(text.normalize())) {
    for (const part of partsOf(segment, setting)) {
      if (part.isMissing)
        missing.push(`U+${(part.text.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`)
      else {
        close()
        made += part.text
      }
    }
  }
  close()
  return made
}

/** What a reader sees as one character, whole where a font has all of it, or else the parts of it one by one. Parts that are never drawn are left out. */
function partsOf(segment: string, { weight = 400, language }: Setting): { text: string; isMissing?: boolean }[] {
  if (segment.trim() === '') return [{ text: ' ' }]
  if (fontFor(segment, weight, language)) return [{ text: segment.replace(neverDrawn, '') }]
  // A mark that belongs to a character is drawn in the font of the character, or not at all.
  return Array.from(segment.replace(neverDrawn, ''), (text, n) => ({
    text,
    isMissing: n > 0 || fontFor(text, weight, language) === undefined,
  }))
}

/** All but the two that join letters and keep them apart, which fonts know. */
const neverDrawn = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu

/** Most texts are: one font, from left to right. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
