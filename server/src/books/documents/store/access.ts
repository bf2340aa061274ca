import { requireRight } from '../../../platform/access/roles.ts'
import { lacksScopes } from '../../../platform/access/scope-refusals.ts'
import type { Scope } from '../../../platform/access/scopes.ts'
import type { Context } from '../../../platform/context.ts'
import { idOfName, isId } from '../../../platform/core/values/ids.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { Kind } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'

type Paid = Pick<Document, 'amount_paid' | 'total_amount' | 'paid_at' | 'status_id'>
type Access = Pick<Kind, 'access' | 'scope' | 'fields' | 'filters'>

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

/** Whether the caller may see a document with these values. */
export function isSeen(ctx: Context, kind: Access, document: object): boolean {
  const values = valuesFor(ctx, kind)
  return values === null || values.includes((document as Record<string, string>)[kind.access?.field ?? ''] as string)
}

/** Refuses to write a document that takes a scope which the caller's token lacks. */
export function requireAccess({ scopes }: Context, { access }: Access, document: object): void {
  const needed = access?.scopes[(document as Record<string, string>)[access.field] as string]
  if (needed && scopes && !scopes.has(needed)) throw lacksScopes([needed])
}

/** Refuses a caller who may not pay a change of what was paid, in whatever request it comes. */
export function requireRightToPay(ctx: Context, before: Paid, next: Paid): void {
  const isSame = before.paid_at === next.paid_at && (before.status_id === 'paid') === (next.status_id === 'paid')
  // Where the total comes down to what was paid, the document is paid without a payment.
  if (before.amount_paid !== next.amount_paid || (!isSame && before.total_amount === next.total_amount))
    requireRight(ctx, 'pay')
}

/** The search among what the caller may see. */
export function narrowToCaller(ctx: Context, kind: Access, asked: Search): Search {
  const search = ofCaller(ctx, kind, asked)
  const values = valuesFor(ctx, kind)
  const filter = kind.access && kind.fields[kind.access.field]?.filter
  if (!values || filter?.by !== 'any') return search
  const wanted = search[filter.name] as string[] | undefined
  return { ...search, [filter.name]: wanted ? wanted.filter((value) => values.includes(value)) : values }
}

/** With the id of the caller where a filter says `me`. An application has none that a record could name. */
function ofCaller({ actor }: Context, { filters }: Access, search: Search): Search {
  const own = Object.entries(filters).filter(([name, { isAboutCaller }]) => isAboutCaller && search[name] === 'me')
  return own.length === 0
    ? search
    : { ...search, ...Object.fromEntries(own.map(([name]) => [name, isId(actor.id) ? actor.id : idOfName(actor.id)])) }
}

/** The scopes that whoever wants to see what this caller exports or imports needs, all of them, with spaces between them. */
export function scopesOf({ scopes }: Context, { access, scope }: Access): string {
  if (!access) return [scope].flat().join(' ')
  return Object.values<Scope>(access.scopes)
    .filter((name) => scopes?.has(name) ?? true)
    .join(' ')
}
