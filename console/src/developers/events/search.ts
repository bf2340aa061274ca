export type EventSearch = { types?: string[]; subject_type?: string; subject_id?: string; request_id?: string }

/** What the address says of the list. */
export function searchIn(given: Record<string, unknown>): EventSearch {
  const types = (Array.isArray(given.types) ? given.types : []).filter(isEventType)
  const [subject_type, subject_id, request_id] = [
    textIn(given.subject_type),
    textIn(given.subject_id),
    textIn(given.request_id),
  ]
  return {
    ...(types.length > 0 && { types }),
    ...(subject_type && { subject_type }),
    ...(subject_id && { subject_id }),
    ...(request_id && { request_id }),
  }
}

/** `bill.paid`, `bill.*` or `*`. */
export function isEventType(given: unknown): given is string {
  return typeof given === 'string' && /^(?:\*|[a-z][a-z0-9_]*\.(?:\*|[a-z_]+))$/.test(given)
}

function textIn(given: unknown): string {
  return typeof given === 'string' || typeof given === 'number' ? String(given).trim().slice(0, 128) : ''
}
