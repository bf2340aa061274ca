import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The first and the last character of a range, and the file that has it. */
type Range = { from: number; to: number; slice: string }

const { resolve } = createRequire(import.meta.url)
const known = new Map<string, Range[]>()

/** A font of Chinese, Japanese or Korean comes in a hundred files, each with some of the characters: the one that has this character. */
export function sliceWith(language: string, codePoint: number): string | undefined {
  const ranges = known.get(language) ?? rangesOf(language)
  known.set(language, ranges)
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const { from, to, slice } = ranges[middle] as Range
    if (codePoint < from) high = middle - 1
    else if (codePoint > to) low = middle + 1
    else return slice
  }
  return undefined
}

/** From the list that the package has, such as `"[4]": "U+1f21a,U+1f234-1f237"`. Its other files have Latin and the like. */
function rangesOf(language: string): Range[] {
  const listed: Record<string, string> = JSON.parse(
    readFileSync(resolve(`@fontsource-variable/noto-sans-${language}/unicode.json`), 'utf8'),
  )
  return Object.entries(listed)
    .flatMap(([name, ranges]) => {
      const slice = /^\[(\d+)\]$/.exec(name)?.[1]
      return slice ? ranges.split(',').map((range) => rangeOf(range, slice)) : []
    })
    .sort((a, b) => a.from - b.from)
}

function rangeOf(text: string, slice: string): Range {
  const [from = '', to = from] = text.replace(/^U\+/i, '').split('-')
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), slice }
}
