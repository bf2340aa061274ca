import { Refusal } from '../core/refusal.ts'
import type { Scope } from './scopes.ts'

/** Of several scopes one would do. */
export function insufficientScope(wanted: readonly Scope[]): Refusal {
  if (wanted.length === 1) return lacksScopes(wanted)
  return refuseScope(
    wanted,
    `The access token has none of the scopes ${quoted(wanted)}.`,
    `One of the scopes ${wanted.join(', ')} is needed.`,
  )
}

/** All of them are needed. */
export function lacksScopes(wanted: readonly Scope[]): Refusal {
  if (wanted.length === 1)
    return refuseScope(
      wanted,
      `The access token lacks the scope ${quoted(wanted)}.`,
      `The scope ${wanted[0]} is needed.`,
    )
  return refuseScope(
    wanted,
    `The access token lacks the scopes ${quoted(wanted)}.`,
    `The scopes ${wanted.join(', ')} are needed.`,
  )
}

/** Refuses what the scopes of the caller do not allow. A context without scopes is limited by nobody's token. */
export function requireScopesOf(
  { scopes }: { scopes?: ReadonlySet<string> | undefined },
  needed: readonly Scope[],
): void {
  const missing = needed.filter((scope) => scopes && !scopes.has(scope))
  if (missing.length > 0) throw lacksScopes(missing)
}

function quoted(scopes: readonly Scope[]): string {
  return scopes.map((scope) => `"${scope}"`).join(', ')
}

function refuseScope(wanted: readonly Scope[], message: string, needed: string): Refusal {
  return new Refusal('forbidden', 'insufficient_scope', message, {
    details: [{ field: 'scope', code: 'insufficient_scope', message: needed, allowed: wanted }],
    headers: {
      'www-authenticate': `Bearer realm="lading", error="insufficient_scope", error_description="${needed}", scope="${wanted.join(' ')}"`,
    },
  })
}
