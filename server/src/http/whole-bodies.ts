/** Answers carry a record under its name; a client that sends the whole answer back means the record in it. */
export function unwrap(name: string) {
  return async (request: { body: unknown }): Promise<void> => {
    const { body } = request
    const inner = typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
    if (typeof inner === 'object' && inner !== null) request.body = inner
  }
}

/** The header that names what of a body was not the client's to set. */
export function naming(ignored: readonly string[]): Record<string, string> {
  return ignored.length > 0 ? { 'x-ignored-fields': ignored.join(', ') } : {}
}
