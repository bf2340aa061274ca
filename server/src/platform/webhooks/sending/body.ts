/** The body of a delivery, from the event as JSON text: the same text each time, so that it can be shown as it was sent. */
export function bodyOf({ id, type, json }: { id: string; type: string; json: string }): string {
  // Before it there are only the id, the type and the organization, none of which can hold a quotation mark.
  const timestamp = /"occurred_at":\s*"([^"]+)"/.exec(json)?.[1] ?? ''
  return `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","data":${json}}`
}

/** The header fields of every delivery, besides those that prove it. */
export const fixedHeaders = { 'content-type': 'application/json', 'user-agent': 'Lading-Webhooks/1' } as const
