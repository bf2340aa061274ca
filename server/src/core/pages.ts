export const defaultLimit = 20
export const maximumLimit = 200

export type Page = { offset: number; limit: number }

/** A limit above the maximum is clamped, and the answer says which one was used. */
export function pageOf({ offset = 0, limit = defaultLimit }: { offset?: number; limit?: number }): Page {
  return { offset, limit: Math.min(limit, maximumLimit) }
}

/** The envelope of every v1 search. `list` is JSON text already: it goes out as the database made it. */
export function envelope(name: string, list: string, total: number, { offset, limit }: Page): string {
  return `{"${name}":${list},"offset":${offset},"limit":${limit},"total":${total}}`
}
