import { pageIn, pageSize } from './page-number.ts'

export type TermSearch = { q?: string; page?: number }

/** The search text and the page of a list, in the address. */
export function termIn(search: Record<string, unknown>): TermSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q).slice(0, 255) : ''
  return { ...(q && { q }), ...pageIn(search) }
}

export function termQueryOf({ q, page = 1 }: TermSearch): { search_term?: string; limit: number; offset: number } {
  return { ...(q && { search_term: q }), limit: pageSize, offset: (page - 1) * pageSize }
}
