export const pageSize = 20

/** The page of a list in the address; the first page is left out. */
export function pageIn(search: Record<string, unknown>): { page?: number } {
  const page = Number(search.page)
  return Number.isSafeInteger(page) && page > 1 ? { page } : {}
}
