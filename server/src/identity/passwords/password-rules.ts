import { invalid } from '../../platform/core/refusal.ts'
import { isCommonPassword } from './common-passwords.ts'

export const shortestPassword = 10
const longest = 1024

/** What the pages say under the field for a new password. */
export const passwordHint = `At least ${shortestPassword} characters. A few words that do not belong together make a good one.`

/**
 * Refuses what is guessed first: too short, on the list of common ones, or made of `names` (the person's, their address, their organization's) or the
 * product's with little else. Length and lists are what NIST SP 800-63B asks for; it advises against rules about kinds of characters.
 */
export function requireGoodPassword(password: string, names: readonly string[], field = 'password'): void {
  const problem = problemWith(password, names)
  if (problem) throw invalid(field, 'bad_password', problem)
}

function problemWith(password: string, names: readonly string[]): string | undefined {
  const length = [...password.normalize('NFKC')].length
  if (length < shortestPassword)
    return `A password has at least ${shortestPassword} characters; this one has ${length}. Add a word or two.`
  if (password.length > longest) return `A password has at most ${longest} characters. Choose a shorter one.`
  if (isCommonPassword(password))
    return 'This password is one of those that are tried first. Choose another, such as a few words that do not belong together.'
  if (isMadeOf(plain(password), names))
    return 'This password is mostly a name that others know: yours, that of your address or organization, or Lading. Choose one that has nothing to do with them.'
  return undefined
}

const leastBesides = 6

function isMadeOf(password: string, names: readonly string[]): boolean {
  const words = [...new Set(['lading', ...names.flatMap(wordsOf)])].sort((a, b) => b.length - a.length)
  const rest = words.reduce((text, word) => text.replaceAll(word, ' '), password).replaceAll(' ', '')
  return rest !== password && (rest.length < leastBesides || /^\d*$/.test(rest))
}

function wordsOf(name: string): string[] {
  const parts = name.split(/[^\p{L}\p{N}]+/u).map(plain)
  return [...parts, parts.join('')].filter((word) => word.length >= 3)
}

/** Without case, accents and punctuation: what a guesser varies first. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
