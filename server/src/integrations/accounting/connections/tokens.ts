import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../platform/context.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import { keepLease, leaseMs } from '../../../platform/core/turns/leases.ts'
import type { Vault } from '../../../platform/vault/vault.ts'
import type { Settings } from '../../../settings.ts'
import { type Adapter, type Client, RemoteFault, type Tokens } from '../adapters/adapter.ts'
import { adapterOf, applicationOf, askTokens, clientOf, type Services } from '../adapters/online.ts'
import { recordConnection, secretsOf } from './actions.ts'
import type { KeptConnection } from './model.ts'
import { lockConnection, saveStatus } from './store.ts'
import { findTokens, keepRenewal, releaseRenewal, saveTokens, takeRenewal } from './tokens-store.ts'

/** What every request to an accounting system needs of this server. */
export type Parts = { vault: Vault; services: Services; publicUrl: string; outbound?: Settings['outbound'] }

/** Before anything is asked of an accounting system. */
export function requireOutbound({ outbound }: Parts): void {
  if (outbound === 'off')
    throw conflict(
      'outbound_off',
      'This server is a copy that sends nothing (OUTBOUND=off), so it asks nothing of accounting systems.',
    )
}

/** Longer than a request for tokens takes, and than one of a process that was killed is waited for. */
const patienceMs = 50_000
/** A token that is good for less than this is renewed first. */
const marginMs = 60_000

/** The adapter of a connection, and a client whose token is good. */
export function openClient(
  ctx: Context,
  parts: Parts,
  connection: KeptConnection,
): { adapter: Adapter; client: Client } {
  const adapter = adapterOf(connection.connector_id)
  if (!adapter) throw conflict('not_online', 'This connection makes files: there is nothing to ask.')
  requireOutbound(parts)
  if (connection.status === 'disconnected' || connection.status === 'needs_sign_in' || connection.remote_id === null)
    throw conflict('needs_sign_in', 'Nobody is signed in there. Have an admin connect it again.')
  const { id, settings, remote_id } = connection
  let used: string | null = null
  const token = async (refused?: string) => {
    const good = await goodToken(ctx, parts, adapter, connection, refused)
    used = good.sealed
    return good.access_token
  }
  const client = clientOf(adapter, {
    connection: id,
    settings,
    remoteId: remote_id,
    publicUrl: parts.publicUrl,
    services: parts.services,
    token,
  })
  const ask: Client['ask'] = (path, options) =>
    client.ask(path, options).catch(async (error) => {
      if (used === null || !isSignIn(error) || (await markSignInNeeded(ctx, id, used, error.message))) throw error
      throw new RemoteFault('busy', 'Somebody has signed in there or disconnected it meanwhile.', 1_000)
    })
  return { adapter, client: { ...client, ask } }
}

/** A token, and what it is kept as. */
type Good = Pick<Tokens, 'access_token'> & { sealed: string }

/**
 * A token that is good as far as is known here. One process renews it, the others wait and read what it got: refresh tokens are good once. Of one whose
 * answer is lost the old one stays, which both services take again for some time. Where somebody signs in meanwhile, those tokens are used.
 */
async function goodToken(
  ctx: Context,
  parts: Parts,
  adapter: Adapter,
  connection: KeptConnection,
  refused?: string,
): Promise<Good> {
  const owner = { org: ctx.org, id: connection.id, secret: 'connection tokens' } as const
  for (let tries = 0; tries < patienceMs / 100; tries++) {
    const sealed = await findTokens(ctx, connection.id)
    if (sealed === null) throw new RemoteFault('sign_in', 'Nobody is signed in there any more.')
    const tokens = parts.vault.open<Tokens>(owner, sealed)
    if (tokens.expires_at > Date.now() + marginMs && tokens.access_token !== refused)
      return { sealed, access_token: tokens.access_token }
    const until = await ctx.transaction((ctx) => takeRenewal(ctx, connection.id, sealed, leaseMs))
    if (until) {
      const kept = keepRenewing(ctx, connection.id, until)
      const renewed = await renew(ctx, parts, adapter, connection, { sealed, tokens }).finally(kept.stopRenewing)
      if (renewed) return renewed
    } else await sleep(100)
  }
  throw new RemoteFault('no_answer', 'The token of this connection was not renewed in time.')
}

/** A request for tokens may take longer than a lease. */
function keepRenewing(ctx: Context, id: string, taken: Date) {
  let until = taken
  return keepLease(async () => {
    const kept = await ctx.transaction((ctx) => keepRenewal(ctx, id, until, leaseMs))
    until = kept ?? until
    return kept !== undefined
  })
}

/** Null where the tokens are not taken any more, and others are there meanwhile. */
async function renew(
  ctx: Context,
  parts: Parts,
  adapter: Adapter,
  connection: KeptConnection,
  { sealed, tokens }: { sealed: string; tokens: Tokens },
): Promise<Good | null> {
  const { id, settings } = connection
  try {
    const application = applicationOf(adapter, parts.services, {
      client_id: settings.client_id,
      ...secretsOf(ctx, parts.vault, connection),
    })
    if (!application) throw new RemoteFault('sign_in', 'The connection has no application there any more.')
    const renewed = await askTokens(adapter, parts.services, application, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    })
    const next = parts.vault.seal({ org: ctx.org, id, secret: 'connection tokens' }, renewed)
    await ctx.transaction((ctx) => saveTokens(ctx, id, sealed, next))
    return { sealed: next, access_token: renewed.access_token }
  } catch (error) {
    if (!isSignIn(error)) await ctx.transaction((ctx) => releaseRenewal(ctx, id, sealed))
    else if (!(await markSignInNeeded(ctx, id, sealed, error.message))) return null
    throw error
  }
}

function isSignIn(error: unknown): error is RemoteFault {
  return error instanceof RemoteFault && error.kind === 'sign_in'
}

/**
 * These tokens are not good any more, which is said once. False where the connection has others by now: an answer about tokens from before a sign-in says
 * nothing about the new ones.
 */
function markSignInNeeded(ctx: Context, id: string, sealed: string, error: string): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const current = await lockConnection(ctx, id)
    if (current?.status === 'needs_sign_in') return true
    if (!current || (await findTokens(ctx, id)) !== sealed) return false
    await saveStatus(ctx, id, { status: 'needs_sign_in', error })
    await recordConnection(ctx, 'sign_in_needed', id, { status: current.status })
    return true
  })
}
