import { lacksScopes } from '../../auth/scope-refusals.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Context } from '../../context.ts'
import type { Kind } from './model/kind.ts'
import type { Search } from './search/search-sql.ts'

type Access = Pick<Kind, 'access' | 'scope' | 'fields'>

/** Whether the scopes of the caller allow every document of the kind. */
export function seesAll(ctx: Context, kind: Access): boolean {
  return valuesFor(ctx, kind) === null
}

/** The values of the field that decides whose documents the caller may see and write; null where that is all of them. */
export function valuesFor({ scopes }: Context, { access }: Access): string[] | null {
  if (!access || !scopes) return null
  const values = Object.entries(access.scopes)
  const allowed = values.filter(([, scope]) => scopes.has(scope)).map(([value]) => value)
  return allowed.length === values.length ? null : allowed
}

/** Refuses to write a document that takes a scope which the caller's token lacks. */
export function requireAccess({ scopes }: Context, { access }: Access, document: object): void {
  const needed = access?.scopes[(document as Record<string, string>)[access.field] as string]
  if (needed && scopes && !scopes.has(needed)) throw lacksScopes([needed])
}

/** The search among what the caller may see. */
export function seenBy(ctx: Context, kind: Access, search: Search): Search {
  const values = valuesFor(ctx, kind)
  const filter = kind.access && kind.fields[kind.access.field]?.filter
  if (!values || filter?.by !== 'any') return search
  const asked = search[filter.name] as string[] | undefined
  return { ...search, [filter.name]: asked ? asked.filter((value) => values.includes(value)) : values }
}

/** The scopes that whoever wants to see what this caller exports or imports needs, all of them, with spaces between them. */
export function scopesOf({ scopes }: Context, { access, scope }: Access): string {
  if (!access) return [scope].flat().join(' ')
  return Object.values<Scope>(access.scopes)
    .filter((name) => scopes?.has(name) ?? true)
    .join(' ')
}
