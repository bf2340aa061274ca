export type Choice = { value: string; label: string }

/** The choices that match what was typed, the best first: the same text, then texts that begin with it, then words that begin with it, then the rest. */
export function rankChoices(choices: readonly Choice[], typed: string): Choice[] {
  return choices
    .map((choice) => ({ choice, rank: rankOf(choice.label, typed) }))
    .filter(({ rank }) => rank < notFound)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice)
}

const notFound = 4

/** Upper and lower case and accents do not matter. */
export function rankOf(label: string, typed: string): number {
  const [text, sought] = [plain(label), plain(typed)]
  if (text === sought) return 0
  if (text.startsWith(sought)) return 1
  const words = text.split(/[^\p{L}\p{N}]+/u)
  if (sought.split(' ').every((part) => words.some((word) => word.startsWith(part)))) return 2
  return text.includes(sought) ? 3 : notFound
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
