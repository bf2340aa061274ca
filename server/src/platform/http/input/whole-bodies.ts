/** Answers carry a record under its name; a client that sends the whole answer back means the record in it, and what stands around it with it. */
export function unwrap(name: string) {
  return async (request: { body: unknown }): Promise<void> => {
    const { body } = request
    if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return
    const { [name]: inner, ...around } = body as Record<string, unknown>
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) request.body = { ...around, ...inner }
  }
}

/** The header that names what of a body was not the client's to set. */
export function naming(ignored: readonly string[]): Record<string, string> {
  return ignored.length > 0 ? { 'x-ignored-fields': ignored.join(', ') } : {}
}

/** The header that names the records which are probably the same as the one that was written. */
export function namingDuplicates(ids: readonly string[]): Record<string, string> {
  return ids.length > 0 ? { 'x-possible-duplicates': ids.join(', ') } : {}
}
