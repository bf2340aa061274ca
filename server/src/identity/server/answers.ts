import type { Middleware } from 'koa'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { consoleClientId } from '../../platform/access/console-client.ts'
import {
  BadToken,
  type Claims,
  RevokedToken,
  type VerifiedToken,
  type Verify,
} from '../../platform/access/tokens/access-token.ts'
import { revoke } from '../../platform/access/tokens/revocations.ts'
import { transaction } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { refusalFor } from '../../platform/db/pool/trouble.ts'
import type { Log } from '../../platform/observe/log.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { showPage } from '../../platform/pages/layout.ts'
import { correctCookies } from '../browsers/cookies.ts'
import { otherPersonPage } from '../pages/form-post.ts'
import { signedOutPage } from '../pages/pages.ts'
import { findGrant } from '../people/grants.ts'
import { endGrantsOfSession } from '../people/sessions.ts'
import { grantsIn } from './console.ts'

type Parts = { publicUrl: string; database: Database; log: Log; verify: Verify }
type OAuthError = { error?: string; error_description?: string }

/** What the library answers, changed where RFCs, our contract or its knowledge of our tokens ask for more. */
export function adjustAnswers(parts: Parts): Middleware {
  return async (ctx, next) => {
    const { path } = ctx
    const structured = path === '/oauth2/revoke' || path === '/oauth2/introspect'
    await (structured ? answerForJwt(parts, ctx, next).catch((error) => noteFailure(ctx, error)) : next())
    adjustErrors(ctx, parts.log)
    // The library lets what outlives a session outlive signing out as well.
    if (path === '/oauth2/logout/confirm' && ctx.oidc.session?.destroyed)
      await endGrantsOfSession(parts.database, grantsIn(ctx.oidc.session))
    if (path === '/oauth2/introspect') await hideDeadGrants(parts, ctx)
    correctCookies(ctx as never)
    showOtherPerson(ctx as never)
    // Where nobody is signed in, the library answers with a form that only a script would send.
    if (path === '/oauth2/logout' && ctx.status === 200 && !ctx.oidc.session?.accountId) {
      if (ctx.oidc.client?.clientId === consoleClientId) ctx.redirect(`${parts.publicUrl}/`)
      else showPage(ctx as never, signedOutPage())
    }
    if (path === '/oauth2/token') ctx.set('pragma', 'no-cache')
    if (path === '/oauth2/revoke' && ctx.status === 200) ctx.body = {}
  }
}

/** Our access tokens are JWTs, which the library neither knows again nor can revoke. It still authenticates the caller; the rest is ours. */
async function answerForJwt(
  { database, verify }: Parts,
  ctx: Parameters<Middleware>[0],
  next: () => Promise<unknown>,
): Promise<void> {
  await next()
  const error = ctx.body as OAuthError | undefined
  const { client, params } = ctx.oidc as { client?: { clientId: string }; params?: { token?: string } }
  if (error?.error !== 'unsupported_token_type' || !client || !params?.token) return
  const { claims, good } = await look(verify, params.token)
  const mine = claims?.client_id === client.clientId ? claims : undefined
  if (ctx.path === '/oauth2/introspect') {
    const { scopes: _, ...shown } = (mine ?? {}) as VerifiedToken
    ctx.body = mine && good ? { active: true, token_type: 'Bearer', ...shown } : { active: false }
  } else {
    // One that is revoked already, again: this answer too promises that no process takes it any more.
    if (mine) await transaction(systemContext(database, mine.org_id), (inner) => revoke(inner, 'token', mine.jti))
    ctx.body = {}
  }
  ctx.status = 200
}

/** A token says nothing of what became of its grant and its user since; introspection answers as the token endpoint and the API would. */
async function hideDeadGrants({ database }: Parts, ctx: Parameters<Middleware>[0]): Promise<void> {
  const body = ctx.body as { active?: boolean; grant_id?: string; sub?: string } | undefined
  const grantId = body?.grant_id ?? (ctx.oidc.entities.Grant as { jti?: string } | undefined)?.jti
  if (body?.active !== true || !grantId) return
  const grant = await findGrant(database, grantId)
  ctx.body = grant ? { ...body, sub: grant.user_id } : { active: false }
}

async function look(verify: Verify, token: string): Promise<{ claims?: Claims; good: boolean }> {
  try {
    return { claims: await verify(token), good: true }
  } catch (error) {
    if (error instanceof RevokedToken) return { claims: error.claims, good: false }
    if (error instanceof BadToken) return { good: false }
    throw error
  }
}

/** Its own page for this sends itself by a script that our content security policy does not know. */
function showOtherPerson(ctx: KoaContextWithOIDC): void {
  const { route, session, entities, provider } = ctx.oidc ?? {}
  const { result, params } = (entities?.Interaction ?? {}) as {
    result?: { login?: { accountId: string } }
    params?: { redirect_uri?: string }
  }
  const state = session?.state as { secret?: string } | undefined
  if (
    route !== 'resume' ||
    !session?.accountId ||
    !result?.login ||
    result.login.accountId === session.accountId ||
    !state?.secret
  )
    return
  const returnTo = new URL(params?.redirect_uri ?? provider.issuer).origin
  showPage(
    ctx,
    otherPersonPage(ctx.oidc.urlFor('end_session_confirm'), { xsrf: state.secret, logout: 'yes' }, returnTo),
  )
}

/** As the library notes its own. */
function noteFailure(ctx: Parameters<Middleware>[0], error: unknown): void {
  ctx.status = 500
  ctx.state.failure = error
}

function adjustErrors(ctx: Parameters<Middleware>[0], log: Log): void {
  const failure = ctx.state.failure as unknown
  const body = ctx.body as OAuthError | undefined
  if (failure !== undefined) {
    const refusal = failure instanceof Refusal && failure.kind === 'unavailable' ? failure : refusalFor(failure)
    log[refusal ? 'warn' : 'error']({ err: failure }, 'the authorization server could not answer')
    if (refusal) {
      ctx.status = 503
      ctx.set(refusal.headers)
      ctx.body = { error: 'temporarily_unavailable', error_description: refusal.message }
    } else ctx.body = { error: 'server_error', error_description: 'Something went wrong on our side. Try again.' }
    return
  }
  if (
    body?.error === 'invalid_request' &&
    body.error_description === 'requested grant type is not allowed for this client'
  )
    body.error = 'unauthorized_client'
  if (body?.error === 'invalid_request' && body.error_description === 'no client authentication mechanism provided') {
    ctx.status = 401
    ctx.set('www-authenticate', 'Basic realm="lading"')
    ctx.body = {
      error: 'invalid_client',
      error_description: 'the request names no application: send client_id and client_secret',
    }
  }
}
