export const defaultLimit = 20
export const maximumLimit = 200

export type Page = { offset: number; limit: number }

/** A limit above the maximum is clamped, and the answer says which one was used. */
export function pageOf({ offset = 0, limit = defaultLimit }: { offset?: number; limit?: number }): Page {
  return { offset, limit: Math.min(limit, maximumLimit) }
}

/** What a search found: JSON text already, which goes out as the database made it. */
export type Found = { list: string; total: number }

export const nothingFound: Found = { list: '[]', total: 0 }

const made = new WeakMap<Found, { name: string; page: Page; text: string }>()

/** The envelope of every v1 search. Equal searches that share an answer share its text too: a page of bills is long, and would be copied for each. */
export function envelope(name: string, found: Found, page: Page): string {
  const before = made.get(found)
  if (before?.name === name && before.page.offset === page.offset && before.page.limit === page.limit) return before.text
  const text = `{"${name}":${found.list},"offset":${page.offset},"limit":${page.limit},"total":${found.total}}`
  made.set(found, { name, page, text })
  return text
}
