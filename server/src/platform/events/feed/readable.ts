import type { Right } from '../../access/roles.ts'
import { lacksScopes } from '../../access/scope-refusals.ts'
import type { Scope } from '../../access/scopes.ts'
import type { EventChoice } from '../types.ts'

/**
 * What it takes to read records of a noun, and so to read what happened to them: all of these scopes, and the right to administer. `byDirection`: the
 * scope of bills where the `direction` of the record is out, and that of invoices where it is in.
 */
export type Need = { scopes: readonly Scope[]; administers?: true; byDirection?: true }

/** Nouns that are not among them are kinds of objects that an organization made. */
export type Needs = { nouns: ReadonlyMap<string, Need>; madeKinds: Need }

export type Reader = { scopes?: ReadonlySet<string> | undefined; rights?: ReadonlySet<Right> | undefined }

/** Which events somebody may read. `others`: whether nouns that are in neither list. `direction`: which of those `byDirection`, where not both. */
export type ReadableEvents = {
  shown: readonly string[]
  hidden: readonly string[]
  others: boolean
  byDirection: readonly string[]
  direction: 'in' | 'out' | null
}

/** Undefined where everything is readable, so that those who read all of it ask the same and share an answer. */
export function readableBy(needs: Needs, reader: Reader): ReadableEvents | undefined {
  const { scopes } = reader
  if (!scopes) return undefined
  const [out, incoming] = [scopes.has('bills'), scopes.has('invoices')]
  const isShown = (need: Need) => (need.byDirection ? out || incoming : missingOf(need, reader).length === 0)
  const all = [...needs.nouns]
  const shown = all.filter(([, need]) => isShown(need)).map(([noun]) => noun)
  const hidden = all.filter(([, need]) => !isShown(need)).map(([noun]) => noun)
  const byDirection = all.filter(([, need]) => need.byDirection).map(([noun]) => noun)
  const others = isShown(needs.madeKinds)
  const direction = out === incoming ? null : out ? 'out' : 'in'
  return hidden.length === 0 && others && direction === null
    ? undefined
    : { shown, hidden, others, byDirection, direction }
}

export type ReadEvent = { type: string; subject_type: string; json: string }

/** The same as the condition in `readable-sql.ts`. */
export function isReadable(readable: ReadableEvents | undefined, { type, subject_type, json }: ReadEvent): boolean {
  if (!readable) return true
  const { shown, hidden, others, byDirection, direction } = readable
  const noun = nounOf(type)
  const may = (name: string) => (others ? !hidden.includes(name) : shown.includes(name))
  if (!may(noun) || !may(subject_type)) return false
  return direction === null || !byDirection.includes(noun) || JSON.parse(json).data?.direction === direction
}

/** Refuses who wants to be sent what they may not read. */
export function requireReadable(needs: Needs, reader: Reader, chosen: EventChoice | undefined): void {
  const asked = chosen
    ? [...chosen.nouns, ...chosen.names.map(nounOf)].map((noun) => needs.nouns.get(noun) ?? needs.madeKinds)
    : [...needs.nouns.values(), needs.madeKinds]
  const missing = [...new Set(asked.flatMap((need) => missingOf(need, reader)))]
  if (missing.length > 0) throw lacksScopes(missing.filter((name) => name !== 'administer') as Scope[])
}

function missingOf({ scopes: needed, administers, byDirection }: Need, { scopes, rights }: Reader): string[] {
  const wanted: readonly string[] = byDirection ? ['bills', 'invoices'] : needed
  return [
    ...wanted.filter((scope) => scopes && !scopes.has(scope)),
    ...(administers && rights && !rights.has('administer') ? ['administer'] : []),
  ]
}

function nounOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
