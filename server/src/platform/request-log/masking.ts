/** What is shown instead of a secret. */
export const masked = '[masked]'

/** Objects in objects in a body: deeper ones are not shown. */
const deepest = 64

/** A name as its letters and digits: `Client-Secret`, `clientSecret` and `client_secret` are one. */
const secretNames =
  /passw|passphrase|secret|token|authorization|credential|cookie|apikey|accesskey|privatekey|signingkey|iban|accountnumber|routingnumber|sortcode|bankaccount|bankdetails|cardnumber|^(?:jwt|otp|pin|cvc|cvv|ssn|bic|swift)$/

/** Secrets that are known by their form, wherever they stand: bearer tokens and secrets of webhooks. */
const secretValues = /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}|\bwhsec_[\w+/=-]+/gi
/** The links of this server that let in whoever has them: their secret is a part of the path, or stands behind the #. */
const secretLinks = /(\/(?:portal\/link#|invitation\/|password-reset\/))[^\s/?#"<>]+/g
/** No text that has one of these is shorter. */
const shortestSecret = '://a@'.length
/** What any text with such a secret has: most answers have none of it, and then no text in them is looked at. */
const signsOfSecrets = /:\/\/|eyJ|bearer|basic|whsec_/i
/** JWTs. What stands before one without a space, and whether a point follows, is looked at once for each run of characters, not at every `eyJ` in it. */
const jwts = /(?<![\w-])(?=[\w-]{11,}\.[\w-])((?:[\w-]*?-)?)eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/gi

/** Answers have the same names again and again; finding one here costs less than reading it. */
const known = new Map<string, boolean>()
const mostKnown = { names: 2_000, length: 60 }

export function isSecretName(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  const isSecret = secretNames.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  if (known.size < mostKnown.names && name.length <= mostKnown.length) known.set(name, isSecret)
  return isSecret
}

/** A value as JSON text without its secrets, at most so long: `cut` says that there was more. No more of the value is read than is shown. */
export function maskedJson(value: unknown, most: number): { text: string; cut: boolean } {
  let text = ''
  const isFull = () => text.length > most
  function write(inner: unknown, depth: number): void {
    if (typeof inner === 'string')
      text += JSON.stringify(maskedText(inner.length > most ? inner.slice(0, most + 1) : inner))
    else if (typeof inner !== 'object' || inner === null) text += JSON.stringify(inner) ?? 'null'
    else if (depth === deepest) text += '"[too deep]"'
    else if (Array.isArray(inner)) writeAll('[', inner, (item) => write(item, depth + 1), ']')
    else
      writeAll(
        '{',
        Object.keys(inner),
        (name) => {
          text += `${JSON.stringify(name.slice(0, most))}:`
          const field = (inner as Record<string, unknown>)[name]
          if (field !== null && (isSecretName(name) || (repeating.has(name) && namesSecret(inner))))
            text += `"${masked}"`
          else write(field, depth + 1)
        },
        '}',
      )
  }
  function writeAll<T>(open: string, items: readonly T[], writeOne: (item: T) => void, close: string): void {
    text += open
    for (let at = 0; at < items.length; at++) {
      if (isFull()) return
      if (at > 0) text += ','
      writeOne(items[at] as T)
    }
    text += close
  }
  write(value, 0)
  return isFull() ? { text: text.slice(0, most).toWellFormed(), cut: true } : { text, cut: false }
}

/** JSON text without its secrets, of which only the beginning is read, up to the last value that is whole there; null for what is no JSON. */
export function maskedJsonText(text: string, most: number): { text: string; cut: boolean } | null {
  const { whole, closers } = text.length > most ? beginningOf(text.slice(0, most)) : { whole: text, closers: '' }
  try {
    const shown = maskedJson(JSON.parse(whole + closers), most + closers.length)
    if (whole === text) return shown
    return {
      text: shown.text.slice(0, shown.cut ? most : shown.text.length - closers.length).toWellFormed(),
      cut: true,
    }
  } catch {
    return null
  }
}

/** What of JSON text that ends anywhere is whole, and the brackets that close it. */
function beginningOf(text: string): { whole: string; closers: string } {
  let open = ''
  let end = 0
  let closers = ''
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') isInString = !isInString
    else if (isInString) at += sign === '\\' ? 1 : 0
    else if (sign === '{' || sign === '[' || sign === '}' || sign === ']' || sign === ',') {
      if (sign === '{') open = `}${open}`
      else if (sign === '[') open = `]${open}`
      else if (sign !== ',') open = open.slice(1)
      end = sign === ',' ? at : at + 1
      closers = open
    }
  }
  return { whole: text.slice(0, end), closers }
}

/** Fields that may repeat what the `field` next to them names. */
const repeating = new Set(['value', 'message'])

/** A condition of a search, such as `{ "field": "apiKey", "op": "eq", "value": … }`, or what was wrong with a field that was sent. */
export function namesSecret(condition: object): boolean {
  const { field } = condition as { field?: unknown }
  return typeof field === 'string' && isSecretName(field)
}

/** The query of an address without its secrets, as it was sent but for those. */
export function maskedQuery(query: string, most: number): string {
  const parts = query
    .slice(0, most)
    .split('&')
    .map((part) => {
      const [name = '', ...rest] = part.split('=')
      if (rest.length === 0) return maskedText(part)
      if (isSecretName(decoded(name))) return `${name}=${masked}`
      const value = decoded(rest.join('='))
      const kept = value.startsWith('{') || value.startsWith('[') ? maskedCondition(value, most) : maskedText(value)
      return kept === value ? part : `${name}=${encodeURIComponent(kept)}`
    })
  return parts.join('&').toWellFormed()
}

function maskedCondition(value: string, most: number): string {
  try {
    const parsed = JSON.parse(value)
    const { text } = maskedJson(parsed, most)
    return text === JSON.stringify(parsed) ? value : text
  } catch {
    // Cut short or malformed: nobody can say which part of it is a secret.
    return masked
  }
}

/** A text without the secrets that are known by their form, and those of an address in it. */
export function maskedText(text: string): string {
  if (text.length < shortestSecret || !signsOfSecrets.test(text)) return text
  const plain = text.replace(secretValues, masked).replace(jwts, `$1${masked}`)
  if (!plain.includes('://')) return plain
  return plain
    .replace(/:\/\/[^/?#\s@]+@/g, `://${masked}@`)
    .replace(secretLinks, `$1${masked}`)
    .replace(/([?&])([^=&?#\s]+)=([^&#\s]*)/g, (whole, before, name) =>
      isSecretName(decoded(name)) ? `${before}${name}=${masked}` : whole,
    )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
