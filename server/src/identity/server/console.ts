import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { consoleClientId, consoleScope } from '../../platform/access/console-client.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Settings } from '../../settings.ts'
import { findGrant } from '../people/grants.ts'
import { membershipsOf } from '../people/people.ts'
import { endGrantsOfSession } from '../people/sessions.ts'
import { allow } from './allow.ts'
import type { ProvedSession } from './proved-sessions.ts'

type Parts = { database: Database; settings: Settings }

/**
 * The console enters without asking: in the organization of this session, or in the only one that there is. Someone in several chooses on a page,
 * and so does someone who asks to (`prompt=consent`).
 */
export async function grantForConsole(ctx: KoaContextWithOIDC, { database, settings }: Parts) {
  const { session, result, provider, prompts } = ctx.oidc
  const id = result?.consent?.grantId ?? session?.grantIdFor(consoleClientId)
  const kept = id && (await findGrant(database, id)) ? await provider.Grant.find(id) : undefined
  if (kept || !session?.accountId) return kept && withWholeScope(kept, settings)
  const [only, ...others] = await membershipsOf(database, session.accountId)
  if (!only || others.length > 0 || prompts.has('consent')) return undefined
  return allow(
    { provider, database, settings },
    {
      by: { person: session.accountId, proof: (session as ProvedSession).proof },
      user: only.user_id,
      client: consoleClientId,
      org: only.org_id,
      scope: consoleScope,
      chosen: false,
    },
  )
}

type Grant = InstanceType<Provider['Grant']>

/** A session that began before an upgrade knows less than the console asks for after it. */
async function withWholeScope(grant: Grant, { audience }: Settings): Promise<Grant> {
  const known = new Set(grant.getResourceScope(audience).split(' '))
  if (consoleScope.split(' ').every((scope) => known.has(scope))) return grant
  grant.addOIDCScope(consoleScope)
  grant.addResourceScope(audience, consoleScope)
  await grant.save()
  return grant
}

/** Whether the console itself asks to sign out the person who is signed in: an ID token of theirs shows it, so nobody is asked again. */
export function isSignOutByConsole({ oidc }: KoaContextWithOIDC): boolean {
  const hint = oidc.entities.IdTokenHint as { payload: { aud?: unknown; sub?: unknown } } | undefined
  return hint?.payload.aud === consoleClientId && hint.payload.sub === oidc.session?.accountId
}

/** What the library does once somebody has answered its question. */
export async function signOut(ctx: KoaContextWithOIDC, { database, settings }: Parts): Promise<void> {
  const { session, provider } = ctx.oidc
  await endGrantsOfSession(database, grantsIn(session))
  await session?.destroy()
  ctx.cookies.set(provider.cookieName('session'), null)
  ctx.status = 303
  ctx.redirect(`${settings.publicUrl}/`)
}

/** What applications were allowed in a session. */
export function grantsIn(session: KoaContextWithOIDC['oidc']['session']): string[] {
  return Object.values(session?.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? [])
}
