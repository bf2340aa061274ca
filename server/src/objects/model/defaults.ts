import { isDeepStrictEqual } from 'node:util'
import type { Content, Fields } from './apply.ts'

/** What an object shows where nobody said anything. */
export const unsaid: Fields = { etaDelayNotifyEnabled: false, etaDelayNotifyLabel: 'ETA delay notification' }

/** An object shows a name, and more, that nobody gave it. Sent back as it was read that says nothing: it goes on following what it comes from. */
export function withoutUnsaid(sent: Fields, before: { content: Content; full_id: string } | null): Fields {
  if (!before) return sent
  const { json, name } = before.content
  const shown: Fields = { ...unsaid, name: name ?? before.full_id }
  return Object.fromEntries(
    Object.entries(sent).filter(([key, value]) => Object.hasOwn(json, key) || !Object.hasOwn(shown, key) || !isDeepStrictEqual(value, shown[key])),
  )
}
