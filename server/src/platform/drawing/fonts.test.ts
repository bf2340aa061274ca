import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as fontkit from 'fontkit'
import { type Font, fontFor, languageOf } from './fonts.ts'
import { unpackWoff } from './woff.ts'
import { unpackWoff2 } from './woff2.ts'

type Opened = { numGlyphs: number; getGlyph(id: number): { path: { toSVG(): string } } }

const { resolve } = createRequire(import.meta.url)
const file = (name: string) => readFileSync(resolve(name))
const open = (bytes: Uint8Array) => fontkit.create(bytes as Buffer) as unknown as Opened
const outlines = (font: Opened) => Array.from({ length: font.numGlyphs }, (_, id) => font.getGlyph(id).path.toSVG())

test('a font has the same outlines from WOFF 2.0 as from WOFF, also where glyphs are made of others', () => {
  const name = '@fontsource/noto-sans/files/noto-sans-vietnamese-400-normal'
  const [made, expected] = [
    outlines(open(unpackWoff2(file(`${name}.woff2`)))),
    outlines(open(unpackWoff(file(`${name}.woff`)))),
  ]
  assert.ok(expected.length > 50 && expected.some((outline) => outline.length > 100))
  assert.deepEqual(made, expected)
})

test('what of a weight is put into a PDF has the outlines of that weight', () => {
  for (const [text, language] of [
    ['海', 'sc'],
    ['東', 'jp'],
    ['한', 'kr'],
  ] as const) {
    const [regular, bold] = ([400, 700] as const).map((weight) => embedded(fontFor(text, weight, language), text))
    assert.deepEqual(regular?.made, regular?.expected)
    assert.deepEqual(bold?.made, bold?.expected)
    assert.notEqual(regular?.made, bold?.made)
  }
})

test('a character is set in the font of the language that its text shows, and in none where no font has it', () => {
  const nameOf = (text: string, within = text) =>
    fontFor(text, 400, languageOf(within) ?? 'sc')?.postscriptName.replace(/-\d+-wght-400$/, '')
  assert.deepEqual(
    [
      nameOf('直'),
      nameOf('直', '直す'),
      nameOf('直', '직 直'),
      nameOf('か'),
      nameOf('가'),
      nameOf('Ω'),
      nameOf('ก'),
      nameOf('🚚'),
    ],
    [
      'noto-sans-sc',
      'noto-sans-jp',
      'noto-sans-kr',
      'noto-sans-jp',
      'noto-sans-kr',
      'noto-sans-greek-400',
      undefined,
      undefined,
    ],
  )
  assert.equal(languageOf('かな 가'), undefined)
})

/** The outline of a character in the part of its font that goes into a file, and in the font itself. */
function embedded(font: Font | undefined, text: string): { made: string | undefined; expected: string } {
  type Whole = Opened & {
    glyphForCodePoint(codePoint: number): { id: number; path: { toSVG(): string } }
    createSubset(): { includeGlyph(id: number): number; encode(): Uint8Array }
  }
  const whole = font as unknown as Whole
  const { id, path } = whole.glyphForCodePoint(text.codePointAt(0) as number)
  const subset = whole.createSubset()
  const place = subset.includeGlyph(id)
  const part = open(subset.encode())
  return { made: rounded(part.getGlyph(place).path.toSVG()), expected: rounded(path.toSVG()) }
}

/** A file has whole numbers. */
function rounded(outline: string): string {
  return outline.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number))))
}
