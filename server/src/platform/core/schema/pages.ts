import { invalid } from '../refusal.ts'
import { type Cursor, type KeyType, readCursor, writeCursor } from './cursors.ts'

export const defaultLimit = 20
export const maximumLimit = 200

/** Which part of what a search finds is asked for: by the number of records to skip, or by the cursor that the page before it ended with. */
export type PageRequest = { offset?: number | undefined; limit?: number | undefined; after?: string | null | undefined }

export type Slice = { offset: number; limit: number }
/** `search` tells this search and its order from all others: a cursor is good for one only. */
export type Page = Slice & { after: Cursor | undefined; search: string }

/**
 * A limit above the maximum is clamped, and the answer says which one was used. `name` and the filters say what is searched, `keys` what it is
 * ordered by.
 */
export function pageOf(name: string, asked: PageRequest & Record<string, unknown>, keys: readonly KeyType[]): Page {
  const { offset, limit = defaultLimit, after, ...filters } = asked
  const search = JSON.stringify([name, Object.entries(filters).sort(([one], [other]) => (one < other ? -1 : 1))])
  const page = { offset: offset ?? 0, limit: Math.min(limit, maximumLimit), search }
  if (!after) return { ...page, after: undefined }
  if (offset !== undefined)
    throw invalid(
      'after',
      'after_with_offset',
      'Send "after" or "offset", not both: a cursor says by itself where the page begins.',
    )
  return { ...page, after: readCursor(search, after, keys) }
}

/** What a search found: JSON text already, which goes out as the database made it. `next` are the values of the last record, where more follow. */
export type FoundRecords = { list: string; total: number; next: string | null }

export const nothingFound: FoundRecords = { list: '[]', total: 0, next: null }

/** What each version of the API calls the cursor of the next page. */
export type NextName = 'next_after' | 'nextAfter'

const made = new WeakMap<FoundRecords, { name: string; page: Page; text: string }>()

/** The envelope of every search. Equal searches that share an answer share its text too: a page of bills is long, and would be copied for each. */
export function envelope(name: string, found: FoundRecords, page: Page, nextName: NextName = 'next_after'): string {
  const before = made.get(found)
  if (
    before?.name === name &&
    before.page.offset === page.offset &&
    before.page.limit === page.limit &&
    before.page.search === page.search
  )
    return before.text
  const next = !found.next ? 'null' : `"${writeCursor(page.search, found.next)}"`
  const text = `{"${name}":${found.list},"offset":${page.offset},"limit":${page.limit},"total":${found.total},"${nextName}":${next}}`
  made.set(found, { name, page, text })
  return text
}
