/** The most characters of a text that an index holds. Longer texts are found by their beginning and compared whole after that. */
export const longestKey = 200

/** Upper and lower case, widths and kinds of space made the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').replace(/\s+/gu, ' ')
}

/** The words of a text, folded, each cut to what an index holds. */
export function wordsOf(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(cut)
}

/** A text cut to what an index holds; never in the middle of a character. */
export function cut(text: string): string {
  if (text.length <= longestKey) return text
  const end = text.slice(0, longestKey)
  return end.isWellFormed() ? end : end.slice(0, -1)
}

/** For `like`, on a folded text that contains this one. */
export function containsPattern(text: string): string {
  return `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`
}
