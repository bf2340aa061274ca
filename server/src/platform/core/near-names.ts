/** The name that a misspelt one comes close to, if there is one. */
export function nearestTo(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const wanted = plain(name)
  const most = mostEdits(wanted)
  let nearest: { name: string; edits: number; shared: number } | undefined
  for (const candidate of known) {
    const spelling = plain(candidate)
    // An edit changes the length by one at most, and to count edits takes far longer than to look at the length.
    if (Math.abs(spelling.length - wanted.length) > most) continue
    const edits = editsBetween(wanted, spelling)
    if (edits > most || edits > (nearest?.edits ?? Number.POSITIVE_INFINITY)) continue
    const shared = sharedStart(wanted, spelling)
    // Slips are seldom at the start: of two as near, "payed" is "paid" rather than "saved".
    if (!nearest || edits < nearest.edits || shared > nearest.shared) nearest = { name: candidate, edits, shared }
  }
  return nearest?.name ?? known.find((candidate) => name.length > 2 && candidate.startsWith(`${name}_`))
}

/** Longer ones are no slips of the pen, and would only take time. */
const longest = 64

/** `statusIds`, `status-ids` and `status_ids` are the same to whoever types them. */
function plain(name: string): string {
  return name
    .replace(/\[\d*\]$/, '')
    .replace(/[_-]/g, '')
    .toLowerCase()
}

function sharedStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function mostEdits({ length }: string): number {
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** How many letters have to be put in, taken out, changed, or swapped with the next (Damerau and Levenshtein). */
function editsBetween(one: string, other: string): number {
  let [older, old]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (old[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const swapped =
        one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
          ? (older[j - 2] as number) + 1
          : Number.POSITIVE_INFINITY
      row.push(Math.min((old[j] as number) + 1, (row[j - 1] as number) + 1, changed, swapped))
    }
    older = old
    old = row
  }
  return old[other.length] as number
}
