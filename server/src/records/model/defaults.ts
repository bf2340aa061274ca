import { isDeepStrictEqual } from 'node:util'
import type { Content, Fields } from './object.ts'

/** The values that an object shows in fields that were never set. */
export const defaultValues: Fields = { etaDelayNotifyEnabled: false, etaDelayNotifyLabel: 'ETA delay notification' }

/** An object that is sent back as it was read has its default values and the name it was given by the server in it: those are not stored. */
export function withoutDefaults(sent: Fields, before: { content: Content; full_id: string } | null): Fields {
  if (!before) return sent
  const { json, name } = before.content
  const shown: Fields = { ...defaultValues, name: name ?? before.full_id }
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([key, value]) => Object.hasOwn(json, key) || !Object.hasOwn(shown, key) || !isDeepStrictEqual(value, shown[key]),
    ),
  )
}
