/** The text without these characters at its end. `/0+$/` would begin anew at each zero, also of those in the middle. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** `partnerCarrier` → `partner_carrier`: how a kind is called where names are in snake_case, such as in its events. */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
