import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as fontkit from 'fontkit'
import { sliceWith } from './font-slices.ts'
import { outlineOfPath } from './outline.ts'
import { unpackWoff } from './woff.ts'
import { unpackWoff2 } from './woff2.ts'

export type Font = { layout: unknown; postscriptName: string; hasGlyphForCodePoint(codePoint: number): boolean }
export type Weight = 400 | 700

/** Chinese, Japanese and Korean, by the names of their fonts: many characters are drawn differently in each. */
export type Language = 'sc' | 'jp' | 'kr'

/** In this order: a character is set in the first that has it. */
const files = [
  ...['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese', 'devanagari'].map(
    (script) => ['noto-sans', script],
  ),
  ['noto-sans-arabic', 'arabic'],
  ['noto-sans-hebrew', 'hebrew'],
] as const

/** Where the characters of China, Japan and Korea begin: no font of the list above has any from here on. */
const firstEastAsian = 0x2e80

const { resolve } = createRequire(import.meta.url)
const loaded = new Map<string, Font>()

/** The font that has every character of a text, which is one as a reader sees it; undefined where none has. Each is read when it is first needed, and stays. */
export function fontFor(text: string, weight: Weight, language: Language): Font | undefined {
  const codePoints = codePointsOf(text)
  const hasAll = (font: Font | undefined) =>
    font !== undefined && codePoints.every((codePoint) => font.hasGlyphForCodePoint(codePoint))
  const [first = 32] = codePoints
  if (first < firstEastAsian) {
    for (const [family, script] of files) {
      const font = load(`@fontsource/${family}/files/${family}-${script}-${weight}-normal.woff`)
      if (hasAll(font)) return font
    }
  }
  const languages: Language[] = [language, ...(['sc', 'jp', 'kr'] as const).filter((other) => other !== language)]
  for (const one of languages) {
    const font = eastAsian(one, first, weight)
    if (hasAll(font)) return font
  }
  return undefined
}

/** What most texts are set in. */
export function standardFont(weight: Weight): Font {
  return load(`@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff`)
}

/** The language that a text shows by its letters: kana are Japanese, Hangul is Korean; undefined where there are neither, or both. */
export function languageOf(text: string): Language | undefined {
  const [kana, hangul] = [/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text), /\p{Script=Hangul}/u.test(text)]
  return kana === hangul ? undefined : kana ? 'jp' : 'kr'
}

/** Characters that are never drawn, such as the mark that asks for a variant of the character before it, need no glyph. */
function codePointsOf(text: string): number[] {
  return Array.from(text, (character) =>
    /\p{Default_Ignorable_Code_Point}/u.test(character) ? undefined : character.codePointAt(0),
  ).filter((codePoint) => codePoint !== undefined)
}

/** The file of a language that has this character, in a weight: these files have all weights in one. */
function eastAsian(language: Language, codePoint: number, weight: Weight): Font | undefined {
  const slice = sliceWith(language, codePoint)
  if (!slice) return undefined
  const name = `@fontsource-variable/noto-sans-${language}/files/noto-sans-${language}-${slice}-wght-normal.woff2`
  return kept(`${name} ${weight}`, () => {
    const font = loaded.get(name) ?? opened(unpackWoff2(readFileSync(resolve(name))))
    loaded.set(name, font)
    return inWeight(font, weight)
  })
}

type Subset = { glyphEncoder: { encodeSimple: typeof outlineOfPath } }
type Variable = { getVariation(settings: object): Font & { createSubset(): Subset } }

/** The library cannot write the outlines of a weight into a file by itself: it calls the stream that it writes to in an older way. */
function inWeight(font: Font, weight: Weight): Font {
  const varied = (font as unknown as Variable).getVariation({ wght: weight })
  const createSubset = varied.createSubset.bind(varied)
  varied.createSubset = () => {
    const subset = createSubset()
    subset.glyphEncoder.encodeSimple = outlineOfPath
    return subset
  }
  return varied
}

function load(name: string): Font {
  return kept(name, () => opened(unpackWoff(readFileSync(resolve(name)))))
}

function opened(file: Buffer): Font {
  return fontkit.create(file) as unknown as Font
}

/** The library that draws takes fonts of one name for the same one, and the files of a family have one name. */
function kept(name: string, open: () => Font): Font {
  const known = loaded.get(name)
  if (known) return known
  const font = Object.defineProperty(open(), 'postscriptName', {
    value: name.replace(/^.*\/|-normal\.woff2?/g, '').replace(/[^\w-]+/g, '-'),
  })
  loaded.set(name, font)
  return font
}
