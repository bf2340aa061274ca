import { invalid } from '../refusal.ts'
import { withoutEnd } from './text.ts'

/** Within an object its keys so far, within an array nothing; and the key or place that is being read. */
type Frame = { keys: Set<string> | null; at: string | number }

/**
 * Refuses what parsing would change silently: a key that stands twice in one object, of which the first would be lost, and a number that no double
 * holds exactly. `text` is known to be JSON, with so many different keys in it; what is wrong is named by its place, below `within`.
 */
export function refuseInexact(text: string, keys: number, within?: string): void {
  // Every key has its colon and a short number is exact, so most bodies need no closer look.
  if (colonsIn(text) === keys && !/[\d.]{16}|\d[eE]/.test(text)) return
  const frames: Frame[] = []
  const placeOf = () => [...(within === undefined ? [] : [within]), ...frames.map(({ at }) => at)].join('.')
  let keyIsNext = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    const frame = frames.at(-1)
    if (character === quotationMark) {
      const end = endOfText(text, index)
      if (keyIsNext && frame?.keys) enter(frame, text.slice(index, end + 1), placeOf)
      keyIsNext = false
      index = end
    } else if (character === openBrace || character === openBracket) {
      frames.push({ keys: character === openBrace ? new Set() : null, at: 0 })
      keyIsNext = character === openBrace
    } else if (character === closeBrace || character === closeBracket) {
      frames.pop()
    } else if (character === comma && frame) {
      keyIsNext = frame.keys !== null
      if (typeof frame.at === 'number') frame.at += 1
    } else if (character === minus || isDigit(character)) {
      const token = numberAt(text, index)
      requireExact(token, placeOf)
      index += token.length - 1
    }
  }
}

const [quotationMark, backslash, comma, minus] = [0x22, 0x5c, 0x2c, 0x2d]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

function colonsIn(text: string): number {
  let count = 0
  for (let index = text.indexOf(':'); index >= 0; index = text.indexOf(':', index + 1)) count += 1
  return count
}

function endOfText(text: string, start: number): number {
  let index = start + 1
  while (text.charCodeAt(index) !== quotationMark) index += text.charCodeAt(index) === backslash ? 2 : 1
  return index
}

function enter(frame: Frame, token: string, placeOf: () => string): void {
  const key = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
  frame.at = key
  if (frame.keys?.has(key)) throw invalid(placeOf(), 'duplicate_key', `"${placeOf()}" is there twice. Send it once.`)
  frame.keys?.add(key)
}

function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function numberAt(text: string, start: number): string {
  number.lastIndex = start
  return (number.exec(text) as RegExpExecArray)[0]
}

/** A number in the notation of JSON, which no double may bend. */
export function requireExact(token: string, placeOf: () => string): void {
  if (isExact(token)) return
  const [path, sent] = [placeOf(), token.length > 40 ? `${token.slice(0, 40)}…` : token]
  throw invalid(
    path,
    'inexact_number',
    `${path ? `"${path}"` : 'The body'} has the number ${sent}, which cannot be kept exactly. Send it as a text, or with fewer digits.`,
  )
}

/** Whether the number comes out again as it went in, however it is written. */
function isExact(token: string): boolean {
  if (token.length < 16 && !/[eE]/.test(token)) return true
  // No double has such an exponent, and to compute with a million digits of one would take a second.
  if (/[eE][+-]?0*[1-9]\d{4}/.test(token)) return false
  const value = Number(token)
  return Number.isFinite(value) && digitsOf(token) === digitsOf(String(value))
}

/** The digits without zeros at either end, and where the point stands. */
function digitsOf(written: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = withoutEnd(digits, '0')
  return significant === ''
    ? '0'
    : `${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}
