import { invalid, quote } from '../../platform/core/refusal.ts'
import type { Fields } from './object.ts'

/** `boardId` is sent next to `json`, but read among the fields: an object sent back as it was read has it twice. */
export function addBoard(json: Fields, boardId: unknown): Fields {
  if (boardId === undefined) return json
  if (Object.hasOwn(json, 'boardId') && lowered(json.boardId) !== lowered(boardId))
    throw invalid('boardId', 'contradiction', '"boardId" is one thing, and that in "json" another. Send it once.')
  return { ...json, boardId }
}

function lowered(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

/**
 * The fields of a body: `{ json: {…} }`, or the fields themselves; not both, which would store a field `json` that nobody meant. A whole object as it
 * was read has its id, and may have a field `json`.
 */
export function fieldsSent(body: Fields): Fields {
  const { json } = body
  if (typeof json !== 'object' || json === null || Array.isArray(json) || Object.hasOwn(body, 'id')) return body
  const extra = Object.keys(body).filter((key) => !['json', 'boardId', 'objectKey'].includes(key))
  if (extra.length > 0)
    throw invalid(
      'json',
      'ambiguous',
      `"json" holds the fields, but ${quote(extra[0])} was sent next to it. Send { "json": {…} }, or the fields themselves.`,
    )
  return addBoard(json as Fields, body.boardId)
}
