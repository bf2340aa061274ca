import { timingSafeEqual } from 'node:crypto'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, invalid, Refusal, unavailable } from '../../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { Vault } from '../../../platform/vault/vault.ts'
import { type Adapter, type Application, RemoteFault } from '../adapters/adapter.ts'
import { adapterOf, applicationOf, askTokens, clientOf, signInAddress } from '../adapters/online.ts'
import { lockExpected, recordConnection, secretsOf } from './actions.ts'
import type { ConnectBody, KeptConnection } from './model.ts'
import { requireConnection } from './reading.ts'
import { saveSignIn } from './store.ts'
import { type Parts, requireOutbound } from './tokens.ts'

/** For so long a sign-in that was begun can be ended. */
const stateMs = 15 * 60_000

/** The page of the console that takes the code. */
export function redirectUriOf(publicUrl: string): string {
  return `${publicUrl}/settings/connections/callback`
}

/** The address at which an admin signs in. The state says for whom, and only that user can end it: nobody connects books that another allowed. */
export async function beginSignIn(
  ctx: Context,
  parts: Parts,
  id: string,
): Promise<{ url: string; state: string; redirect_uri: string }> {
  const connection = await requireConnection(ctx, id)
  const { adapter, application } = onlineOf(ctx, parts, connection)
  const text = JSON.stringify([ctx.org, id, ctx.actor.id, Date.now() + stateMs])
  const state = `${Buffer.from(text).toString('base64url')}~${parts.vault.sign(text)}`
  const redirect_uri = redirectUriOf(parts.publicUrl)
  return {
    url: signInAddress(adapter, parts.services, application, { state, redirectUri: redirect_uri }),
    state,
    redirect_uri,
  }
}

/** Takes the code that the other side came back with. The tokens are asked for before the transaction begins. */
export async function endSignIn(
  ctx: Context,
  parts: Parts,
  id: string,
  body: ConnectBody,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  requireState(ctx, parts.vault, id, body.state)
  const connection = await requireConnection(ctx, id)
  const { adapter, application } = onlineOf(ctx, parts, connection)
  const signedIn = await exchange(ctx, parts, connection, adapter, application, body).catch(refuse)
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, id, expected)
    requireSameCompany(current, signedIn.remote_id)
    await saveSignIn(ctx, id, signedIn)
    return recordConnection(ctx, 'connected', id, { status: current.status })
  })
}

async function exchange(
  ctx: Context,
  parts: Parts,
  { id, settings }: KeptConnection,
  adapter: Adapter,
  application: Application,
  body: ConnectBody,
) {
  const { vault, services, publicUrl } = parts
  const grant = {
    grant_type: 'authorization_code',
    code: body.authorization_code,
    redirect_uri: redirectUriOf(publicUrl),
  }
  const tokens = await askTokens(adapter, services, application, grant)
  const client = clientOf(adapter, {
    connection: id,
    settings,
    remoteId: '',
    publicUrl,
    services,
    token: async () => tokens.access_token,
  })
  const company = await adapter.identify(client, { realm_id: body.realm_id ?? undefined })
  return { ...company, tokens_sealed: vault.seal({ org: ctx.org, id, secret: 'connection tokens' }, tokens) }
}

function onlineOf(
  ctx: Context,
  parts: Parts,
  connection: KeptConnection,
): { adapter: Adapter; application: Application } {
  const { vault, services } = parts
  const adapter = adapterOf(connection.connector_id)
  if (!adapter) throw conflict('not_online', 'This connection makes files: nobody needs to sign in anywhere.')
  requireOutbound(parts)
  const application = applicationOf(adapter, services, {
    client_id: connection.settings.client_id,
    ...secretsOf(ctx, vault, connection),
  })
  if (!application)
    throw conflict(
      'application_missing',
      'Set "settings.client_id" and "secrets.client_secret" first: those of your application there.',
    )
  return { adapter, application }
}

function requireState(ctx: Context, vault: Vault, id: string, state: string): void {
  const [encoded = '', signature = ''] = state.split('~')
  const text = Buffer.from(encoded, 'base64url').toString()
  if (!/^v\d+\.[\w-]+\.[\w-]+$/.test(signature) || !isSame(vault.sign(text, signature), signature)) throw badState()
  const [org, connection, actor, until] = JSON.parse(text) as [string, string, string, number]
  if (org !== ctx.org || connection !== id.toLowerCase() || actor !== ctx.actor.id || until < Date.now())
    throw badState()
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function badState() {
  return invalid(
    'state',
    'bad_state',
    'The sign-in was begun by somebody else, for another connection, or too long ago. Begin it again.',
  )
}

/** What records are there is known of one company. In another they would be taken for the wrong ones. */
function requireSameCompany({ remote_id, remote_name }: KeptConnection, next: string): void {
  if (remote_id !== null && remote_id !== next)
    throw conflict(
      'other_company',
      `This connection belongs to ${remote_name ?? remote_id}. Sign in to that company, or delete the connection and make another.`,
    )
}

function refuse(error: unknown): never {
  if (!(error instanceof RemoteFault)) throw error
  if (error.kind === 'no_answer' || error.kind === 'busy')
    throw unavailable(error.message, error, Math.ceil(error.retryAfterMs / 1000) || 1)
  throw new Refusal('conflict', 'sign_in_failed', error.message)
}
