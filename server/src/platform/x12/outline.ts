/** A part of a file from one segment to another, both counted. */
type Span = { from: number; to: number }
export type OutlinedTransaction = Span & { code: string; control: string }
export type OutlinedGroup = Span & { elements: readonly string[]; transactions: OutlinedTransaction[] }
/** `isa` are the elements of its ISA as they were sent. */
export type OutlinedInterchange = Span & { isa: readonly string[]; groups: OutlinedGroup[] }

const lengthOfIsa = 106

/**
 * What a file holds, as far as it can be told whatever is wrong with it: an acknowledgement repeats the control numbers of what it refuses. Segments have
 * the same places as for the reader that refuses. Where no interchange begins there is nothing.
 */
export function outlineX12(text: string): OutlinedInterchange[] {
  const found: OutlinedInterchange[] = []
  let place = 0
  for (let at = nextIsa(text, 0); at !== -1; ) {
    const head = text.slice(at, at + lengthOfIsa)
    const [element = '', terminator = ''] = [head.charAt(3), head.charAt(lengthOfIsa - 1)]
    const isa = head.slice(4, lengthOfIsa - 1).split(element)
    if (head.length < lengthOfIsa || isa.length !== 16 || /^[A-Za-z0-9 ]?$/.test(terminator)) return found
    const next = nextIsa(text, at + lengthOfIsa, terminator)
    const segments = text
      .slice(at + lengthOfIsa, next === -1 ? undefined : next)
      .split(terminator)
      .map((segment) => segment.replace(/^[\r\n\s]+/, ''))
      .filter((segment) => segment !== '')
      .map((segment) => segment.split(element))
    place += 1
    found.push({ isa, from: place, to: place + segments.length, groups: groupsIn(segments, place) })
    place += segments.length
    at = next
  }
  return found
}

/** Where the next interchange begins: `ISA` at the beginning of a segment. */
function nextIsa(text: string, from: number, terminator?: string): number {
  for (let at = text.indexOf('ISA', from); at !== -1; at = text.indexOf('ISA', at + 3)) {
    let before = at
    while (before > from && /[\s\ufeff]/.test(text.charAt(before - 1))) before -= 1
    const isBeginning =
      before === from ||
      (terminator !== undefined && (text.charAt(before - 1) === terminator || /[\r\n]/.test(terminator)))
    if (isBeginning && /[^A-Za-z0-9\s]/.test(text.charAt(at + 3))) return at
  }
  return -1
}

function groupsIn(segments: readonly string[][], before: number): OutlinedGroup[] {
  const groups: OutlinedGroup[] = []
  segments.forEach(([tag = '', ...elements], index) => {
    const place = before + index + 1
    const group = groups.at(-1)
    if (tag === 'GS') groups.push({ elements, transactions: [], from: place, to: place })
    else if (group && tag !== 'IEA') {
      group.to = place
      const [code = '', control = ''] = elements.map((value) => value.trim())
      if (tag === 'ST') group.transactions.push({ code, control, from: place, to: place })
      const last = group.transactions.at(-1)
      if (last && tag !== 'GE') last.to = place
    }
  })
  return groups
}
