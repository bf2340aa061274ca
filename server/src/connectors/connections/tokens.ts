import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { conflict } from '../../core/refusal.ts'
import type { Vault } from '../../vault/vault.ts'
import { type Adapter, type Client, RemoteFault, type Tokens } from '../adapters/adapter.ts'
import { adapterOf, applicationOf, askTokens, clientOf, type Services } from '../adapters/online.ts'
import { recordConnection, secretsOf } from './actions.ts'
import type { KeptConnection } from './model.ts'
import { lockConnection, saveStatus } from './store.ts'
import { findTokens, releaseRenewal, saveTokens, takeRenewal } from './tokens-store.ts'

/** What every request to an accounting system needs of this server. */
export type Parts = { vault: Vault; services: Services; publicUrl: string }

/** Longer than a request for tokens takes. */
const leaseMs = 45_000
/** A token that is good for less than this is renewed first. */
const marginMs = 60_000

/** The adapter of a connection, and a client whose token is good. */
export function openClient(ctx: Context, parts: Parts, connection: KeptConnection): { adapter: Adapter; client: Client } {
  const adapter = adapterOf(connection.connector_id)
  if (!adapter) throw conflict('not_online', 'This connection makes files: there is nothing to ask.')
  if (connection.status === 'disconnected' || connection.status === 'needs_sign_in' || connection.remote_id === null)
    throw conflict('needs_sign_in', 'Nobody is signed in there. Have an admin connect it again.')
  const { id, settings, remote_id } = connection
  const token = (refused?: string) => goodToken(ctx, parts, adapter, connection, refused)
  return { adapter, client: clientOf(adapter, { connection: id, settings, remoteId: remote_id, publicUrl: parts.publicUrl, services: parts.services, token }) }
}

/**
 * A token that is good as far as is known here. One process renews it, the others wait and read what it got: refresh tokens are good once. Of one whose
 * answer is lost the old one stays, which both services take again for some time.
 */
async function goodToken(ctx: Context, parts: Parts, adapter: Adapter, connection: KeptConnection, refused?: string): Promise<string> {
  const owner = { org: ctx.org, id: connection.id, secret: 'connection tokens' } as const
  for (let tries = 0; tries < leaseMs / 100 + 50; tries++) {
    const sealed = await findTokens(ctx, connection.id)
    if (sealed === null) throw new RemoteFault('sign_in', 'Nobody is signed in there any more.')
    const tokens = parts.vault.open<Tokens>(owner, sealed)
    if (tokens.expires_at > Date.now() + marginMs && tokens.access_token !== refused) return tokens.access_token
    if (await ctx.transaction((ctx) => takeRenewal(ctx, connection.id, sealed, leaseMs))) return renew(ctx, parts, adapter, connection, { sealed, tokens })
    await sleep(100)
  }
  throw new RemoteFault('no_answer', 'The token of this connection was not renewed in time.')
}

async function renew(
  ctx: Context,
  parts: Parts,
  adapter: Adapter,
  connection: KeptConnection,
  { sealed, tokens }: { sealed: string; tokens: Tokens },
): Promise<string> {
  const { id, settings } = connection
  try {
    const application = applicationOf(adapter, parts.services, { client_id: settings.client_id, ...secretsOf(ctx, parts.vault, connection) })
    if (!application) throw new RemoteFault('sign_in', 'The connection has no application there any more.')
    const renewed = await askTokens(adapter, parts.services, application, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    const next = parts.vault.seal({ org: ctx.org, id, secret: 'connection tokens' }, renewed)
    await ctx.transaction((ctx) => saveTokens(ctx, id, sealed, next))
    return renewed.access_token
  } catch (error) {
    if (error instanceof RemoteFault && error.kind === 'sign_in') await markSignInNeeded(ctx, id, error.message)
    else await ctx.transaction((ctx) => releaseRenewal(ctx, id))
    throw error
  }
}

/** Once: a connection that needs a sign-in already is left as it is, and so is one that somebody has disconnected. */
export async function markSignInNeeded(ctx: Context, id: string, error: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const current = await lockConnection(ctx, id)
    if (!current || current.status === 'needs_sign_in' || current.status === 'disconnected') return
    await saveStatus(ctx, id, { status: 'needs_sign_in', error })
    await recordConnection(ctx, 'sign_in_needed', id, { status: current.status })
  })
}
