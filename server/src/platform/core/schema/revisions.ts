import { Refusal } from '../refusal.ts'

/** A record as it goes out: its JSON text, and the revision that becomes its ETag. */
export type WireRecord = { revision: number; json: string }

/** The ETags that a caller is willing to change: `any`, some, or null for one who does not care. */
export type ExpectedRevision = 'any' | readonly string[] | null

export function etagOf(revision: number): string {
  return `"${revision}"`
}

/** Called with the row locked: between this check and the write nobody else gets in. */
export function requireExpected(expected: ExpectedRevision, revision: number): void {
  if (expected === null || expected === 'any' || expected.includes(etagOf(revision))) return
  throw new Refusal(
    'stale',
    'stale',
    `This was changed meanwhile: its ETag is ${etagOf(revision)} now, not ${expected.join(', ')}. Read it again and repeat the change.`,
    {
      headers: { etag: etagOf(revision) },
    },
  )
}
