const outcomes = ['created', 'updated', 'removed', 'unchanged', 'skipped', 'failed', 'pending'] as const

/** What came of the records of a sync, in one line. */
export function countsText(counts: Readonly<Record<(typeof outcomes)[number], number>>): string {
  const parts = outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome].toLocaleString()} ${outcome}`)
  return parts.join(', ') || 'Nothing to do'
}

/** The connection that a state is for: the server checks the rest of it. */
export function connectionIn(state: string): string | null {
  try {
    const encoded = (state.split('~')[0] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const [, id] = JSON.parse(atob(encoded)) as unknown[]
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
