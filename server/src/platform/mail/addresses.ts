import { invalid, quote } from '../core/refusal.ts'

/** So many people get one mail at most. */
export const mostAddresses = 50

// The form that mail servers everywhere accept; quoted local parts and addresses without a domain are left out on purpose.
const address = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]+\.[^\s@<>()[\]\\,;:"\p{Cc}.]+$/u

export function isAddress(text: string): boolean {
  return text.length <= 254 && address.test(text)
}

/** The addresses that a caller sent, as a list or as a text with commas between them; each once. */
export function requireAddresses(sent: string | readonly string[] | undefined, field: string): string[] {
  const all = unique(typeof sent === 'string' ? partsOf(sent) : (sent ?? []).flatMap(partsOf))
  const wrong = all.find((one) => !isAddress(one))
  if (wrong !== undefined)
    throw invalid(
      field,
      'bad_email',
      `"${field}": ${quote(wrong)} is not an e-mail address such as "ap@acmefoods.example".`,
    )
  if (all.length > mostAddresses)
    throw invalid(
      field,
      'too_many_addresses',
      `"${field}" names ${all.length} addresses; a mail goes to ${mostAddresses} at most.`,
    )
  return all
}

/** The addresses in a free text, such as the field of a document; what is no address is left out. */
export function addressesIn(text: string | null | undefined): string[] {
  return unique(partsOf(text ?? '').filter(isAddress)).slice(0, mostAddresses)
}

function partsOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
}

function unique(all: readonly string[]): string[] {
  const seen = new Set<string>()
  return all.filter((one) => !seen.has(one.toLowerCase()) && seen.add(one.toLowerCase()))
}
