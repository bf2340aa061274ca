import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let list: ReadonlySet<string> | undefined

/**
 * Whether it is tried first: on a list of 49,000 passwords from leaks, the same with other case, punctuation, digits around it or digits for
 * letters, one of those again and again, or few characters in a row.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKD').toLowerCase()
  return [folded, withoutDigitsForLetters(folded)].some((text) => isCommon(text.replace(/[^\p{L}\p{N}]/gu, '') || text))
}

function isCommon(text: string): boolean {
  const unit = repeatedIn(text)
  const words = [text, unit, unit.replace(/^\d+|\d+$/g, '')]
  return new Set(text).size < 5 || isRun(text) || words.some((word) => commonOnes().has(word))
}

/** Loaded when it is first needed, because most processes never are asked. */
function commonOnes(): ReadonlySet<string> {
  if (!list) {
    const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
    list = new Set(dictionary['passwords-common'])
  }
  return list
}

const letters: Record<string, string> = { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' }

function withoutDigitsForLetters(text: string): string {
  // Digits at the end are an ending, such as a year.
  const [, body = text, ending = ''] = /^(.*?)(\d*[^\p{L}\p{N}]*)$/su.exec(text) ?? []
  return body.replace(/[013457@$]/g, (sign) => letters[sign] ?? sign) + ending
}

/** What a text consists of again and again, or the text. */
function repeatedIn(text: string): string {
  return /^(.{2,}?)\1+$/su.exec(text)?.[1] ?? text
}

/** Each character follows the one before, up or down; after 9 comes 0. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((character, index) => character.charCodeAt(0) - text.charCodeAt(index))
  return [1, -1].some((step) => steps.every((taken) => taken === step || taken === -9 * step))
}
