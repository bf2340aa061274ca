import type { Letterhead, Paper } from '../../platform/drawing/paper.ts'
import type { Surroundings } from './store.ts'
import { addressLines } from './words.ts'

/** Where paper has the size of a letter; elsewhere it is A4. */
const letterCountries = new Set([
  'us',
  'usa',
  'united states',
  'united states of america',
  'ca',
  'canada',
  'mx',
  'mexico',
  '',
])

/** What every paper of an organization has: who it is from, and the size that its readers print. */
export function fromOrganization({ organization, logo }: Surroundings): { from: Letterhead; size: Paper['size'] } {
  const { name, address } = organization
  const lines = addressLines(address).filter((line) => line !== name)
  const country = (address?.country ?? '').trim().toLowerCase()
  return { from: { name, lines, logo }, size: letterCountries.has(country) ? 'LETTER' : 'A4' }
}

export const blank = {
  mark: null,
  parties: [],
  facts: [],
  tables: [],
  totals: [],
  notes: [],
  signatures: [],
} satisfies Partial<Paper>

/** Only facts of which something is known. */
export function knownFacts(
  facts: readonly (readonly [label: string, value: string | null | undefined])[],
): { label: string; value: string }[] {
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}
