import type { Configuration, KoaContextWithOIDC, Provider as ProviderType } from 'oidc-provider'
import { consoleClientId } from '../../platform/access/console-client.ts'
import { organizationWithin } from '../../platform/access/organization-ids.ts'
import { usableScopes } from '../../platform/access/roles.ts'
import { identityScopes, scopeNames } from '../../platform/access/scopes.ts'
import type { Keyring } from '../../platform/access/tokens/keyring.ts'
import type { Revocations } from '../../platform/access/tokens/revocations.ts'
import type { Database } from '../../platform/db/database.ts'
import { showPage } from '../../platform/pages/layout.ts'
import type { Settings } from '../../settings.ts'
import { findClient, isSecretOf, noteUse } from '../applications/clients.ts'
import type { Client } from '../applications/model.ts'
import { cookieNameFor, cookiePrefix } from '../browsers/cookies.ts'
import { formPostPage } from '../pages/form-post.ts'
import { errorPage, signedOutPage, signOutPage } from '../pages/pages.ts'
import { findGrant } from '../people/grants.ts'
import { lifetimes, sessionSeconds } from '../people/lifetimes.ts'
import { findAccount } from '../people/people.ts'
import { adapterFor } from './adapter.ts'
import { grantForConsole, isSignOutByConsole, signOut } from './console.ts'
import { errors, interactionPolicy, Provider } from './library.ts'
import { type GrantId, passwordGrant } from './password-grant.ts'
import { keepProofs } from './proved-sessions.ts'

export type Parts = {
  database: Database
  settings: Settings
  keyring: Keyring
  revocations: Revocations
  cookieKey: string
  clock: () => Date
}

/** The authorization server: oidc-provider with our storage, our users, our pages and one audience. */
export function makeProvider({ database, settings, keyring, revocations, cookieKey, clock }: Parts): ProviderType {
  const { audience, authUrl } = settings
  const prefix = cookiePrefix(authUrl)
  /** Answers the role of the user in whose name the token is; an application acting for itself has none. */
  const outlive = async (
    { oidc: { client, entities } }: KoaContextWithOIDC,
    { jti = '' }: Partial<GrantId> = entities.Grant ?? {},
  ) => {
    const grant = await findGrant(database, jti)
    await revocations.outlive({
      client_id: client?.clientId ?? '',
      sub: grant?.user_id,
      org_id: organizationWithin(jti),
    })
    return grant?.role
  }
  const known = new Set<string>([...identityScopes, ...scopeNames])
  const configuration: Configuration = {
    adapter: adapterFor({ database, settings }) as never,
    jwks: { keys: keyring.privateJwks() as never },
    cookies: {
      keys: [cookieKey],
      names: {
        interaction: `${prefix}lading_interaction`,
        resume: `${prefix}lading_resume`,
        session: `${prefix}lading_session`,
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax', secure: authUrl.startsWith('https:') },
      short: { signed: true, httpOnly: true, sameSite: 'lax', secure: authUrl.startsWith('https:') },
    },
    scopes: [...known],
    claims: { openid: ['sub', 'org_id'], profile: ['name'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    routes: {
      authorization: '/oauth2/authorize',
      token: '/oauth2/token',
      revocation: '/oauth2/revoke',
      introspection: '/oauth2/introspect',
      jwks: '/oauth2/jwks',
      end_session: '/oauth2/logout',
    },
    // Answered by us, because it takes the same access tokens as the API.
    discovery: {
      userinfo_endpoint: `${authUrl}/oauth2/userinfo`,
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) =>
          isSignOutByConsole(ctx)
            ? signOut(ctx, { database, settings })
            : showPage(ctx, signOutPage(form, settings.publicUrl)),
        postLogoutSuccessSource: (ctx) => showPage(ctx, signedOutPage()),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        async getResourceServerInfo(ctx, resource, client) {
          if (resource !== audience) throw new errors.InvalidTarget(`the only audience here is ${audience}`)
          refuseUnknownScopes(ctx, known)
          const role = ctx.oidc.route === 'token' ? await outlive(ctx) : undefined
          return {
            audience,
            // Of what a grant once gave, only what the application may have today, and the role of the user has a use for.
            scope: usableScopes(role, (client.scope ?? '').split(' ')).join(' '),
            accessTokenTTL: lifetimes.accessToken,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256', kid: keyring.current().kid } },
          }
        },
      },
    },
    pkce: {
      required: (_ctx, client) =>
        client.clientAuthMethod === 'none' ||
        client.tokenEndpointAuthMethod === 'none' ||
        client.lading_require_pkce === true,
    },
    extraClientMetadata: { properties: ['lading_require_pkce'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    async loadExistingGrant(ctx) {
      const { client, session, result, provider } = ctx.oidc
      if (client?.clientId === consoleClientId) return grantForConsole(ctx, { database, settings })
      const id = result?.consent?.grantId ?? (client && session?.grantIdFor(client.clientId))
      // What was taken back is asked for anew.
      return id && (await findGrant(database, id)) ? provider.Grant.find(id) : undefined
    },
    expiresWithSession: (_ctx, token) => token.clientId === consoleClientId,
    async extraTokenClaims(_ctx, token) {
      const { access } = await requireStillAllowed({ database, settings }, token)
      const limited = access === 'read' ? { access } : {}
      await noteUse(database, token.clientId as string)
      if (!('grantId' in token) || !token.grantId)
        return { org_id: organizationWithin(token.clientId as string), ...limited }
      const grant = await findGrant(database, token.grantId)
      if (!grant) throw new errors.InvalidGrant('the grant was revoked')
      return { org_id: grant.org_id, grant_id: token.grantId, user_id: grant.user_id, role: grant.role, ...limited }
    },
    formats: {
      customizers: {
        /** A person signs in; what the API sees is who they are in the organization. */
        jwt(_ctx, _token, { payload }) {
          if (payload.user_id) payload.sub = payload.user_id as string
          delete payload.user_id
        },
      },
    },
    findAccount: (_ctx, sub, token) =>
      findAccount(database, sub, (token as { grantId?: string } | undefined)?.grantId) as never,
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) ?? false,
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}`, policy: interactionPolicy.base() },
    renderError: (ctx, out) => showPage(ctx, errorPage(ctx.status, out)),
    ttl: {
      AccessToken: lifetimes.accessToken,
      ClientCredentials: lifetimes.accessToken,
      AuthorizationCode: lifetimes.code,
      IdToken: lifetimes.accessToken,
      Interaction: lifetimes.interaction,
      Session: (_ctx, session) => sessionSeconds(settings, session.loginTs),
      Grant: lifetimes.refreshMost,
      RefreshToken: (_ctx, token) => {
        const idle = token.clientId === consoleClientId ? lifetimes.consoleIdle : lifetimes.refreshIdle
        return Math.max(1, Math.min(idle, lifetimes.refreshMost - token.totalLifetime()))
      },
    },
  }
  const provider = new ProviderWithOurPages(authUrl, configuration)
  keepProofs(provider)
  // The mount sets the forwarding header itself, from the issuer, and lets none of the client's through.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function (this: { clientId: string }, secret: string) {
    return isSecretOf(database, this.clientId, secret)
  } as never
  for (const model of [provider.AuthorizationCode, provider.RefreshToken])
    refuseOtherAudiences(model.prototype, audience)
  provider.registerGrantType(
    'password',
    passwordGrant({ provider, database, settings, known, outlive, clock }),
    ['username', 'password', 'scope', 'resource'],
    [],
  )
  return provider
}

/** The library's own page for `form_post` is empty under our content security policy: nothing sends its form. */
class ProviderWithOurPages extends Provider {
  override registerResponseMode(name: string, handler: ResponseMode): void {
    const answer: ResponseMode = (ctx, redirectUri, fields) => showPage(ctx, formPostPage(redirectUri, fields))
    super.registerResponseMode(name, (name === 'form_post' ? answer : handler) as never)
  }

  override cookieName(type: string): string {
    return cookieNameFor(type, super.cookieName(type), Provider.ctx)
  }
}

type ResponseMode = (ctx: KoaContextWithOIDC, redirectUri: string, fields: Record<string, unknown>) => void

/** Looked at before a code or a refresh token is used up: a request for another audience must not cost the caller the grant. */
function refuseOtherAudiences(model: { consume(): Promise<void> }, audience: string): void {
  const { consume } = model
  model.consume = function () {
    const resource = Provider.ctx?.oidc.params?.resource
    if (resource !== undefined && resource !== audience) throw new errors.InvalidTarget()
    return consume.call(this)
  }
}

/**
 * Looked at once more, after the time that the token will bear was taken: what is taken from the application later revokes tokens of that time.
 * What the library knows of the application is as old as the request, which may have waited.
 */
async function requireStillAllowed(
  parts: { database: Database; settings: Settings },
  token: { clientId?: string | undefined; scope?: string | undefined },
): Promise<Client> {
  const application = await findClient(parts, token.clientId ?? '')
  if (!application) throw new errors.InvalidClient('the application was deleted or disabled')
  const allowed = new Set<string>([...identityScopes, ...application.scopes])
  const taken = token.scope?.split(' ').find((scope) => scope !== '' && !allowed.has(scope))
  if (taken) throw new errors.InvalidScope('the scope was taken from the application', taken)
  return application
}

function refuseUnknownScopes(ctx: KoaContextWithOIDC, known: ReadonlySet<string>): void {
  const scope = ctx.oidc.params?.scope
  const unknown =
    typeof scope === 'string' ? scope.split(' ').find((name) => name !== '' && !known.has(name)) : undefined
  if (unknown) throw new errors.InvalidScope('there is no such scope', unknown)
}
