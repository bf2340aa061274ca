import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { newIdWithin, organizationWithin } from '../../platform/access/organization-ids.ts'
import { usableScopes } from '../../platform/access/roles.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { visitor } from '../../platform/security-log/visitor.ts'
import type { Settings } from '../../settings.ts'
import { keepGrant } from '../people/grants.ts'
import { lifetimes } from '../people/lifetimes.ts'
import { type Person, signIn } from '../people/people.ts'
import { proofOf } from '../people/proofs.ts'
import { errors } from './library.ts'

/** As much of a grant as tells whose it is. */
export type GrantId = { jti: string }
type Outlive = (ctx: KoaContextWithOIDC, grant: GrantId) => Promise<string | undefined>
type Parts = {
  provider: Provider
  database: Database
  settings: Settings
  known: ReadonlySet<string>
  outlive: Outlive
  clock: () => Date
}

/**
 * The password flow of the contract. RFC 9700 forbids it to new designs, so an application has it only after an admin switched it on, it needs a
 * secret, and it admits users of the application's own organization alone.
 */
export function passwordGrant({ provider, database, settings: { audience, authUrl }, known, outlive, clock }: Parts) {
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client, params } = ctx.oidc
    if (!client || client.clientAuthMethod === 'none')
      throw new errors.UnauthorizedClient('the password flow needs an application that keeps a secret')
    const { username, password } = params ?? {}
    if (typeof username !== 'string' || typeof password !== 'string' || username === '' || password === '') {
      throw new errors.InvalidRequest('missing required parameter(s) (username, password)')
    }
    if (params?.resource !== undefined && params.resource !== audience)
      throw new errors.InvalidTarget(`the only audience here is ${audience}`)
    const scope = grantedScope(ctx, known)
    const org = organizationWithin(client.clientId) as string
    const source = { application: client.clientId, address: visitor.getStore()?.address ?? '', at: clock() }
    const signedIn = await signIn(database, username, password, source, org).catch(asOAuthError(ctx))
    if (!signedIn) throw wrong()
    if ('firstPassword' in signedIn)
      throw refused(
        `this is a first password, which is to be changed: sign in at ${authUrl}/sign-in to choose your own`,
      )
    await issue(ctx, signedIn.person, org, scope)
  }

  async function issue(ctx: KoaContextWithOIDC, person: Person, org: string, scope: string): Promise<void> {
    const accountId = person.id
    const client = ctx.oidc.client as NonNullable<typeof ctx.oidc.client>
    const grantId = newIdWithin(org)
    const [membership] = person.memberships
    const grantOf = { org_id: org, user_id: membership?.user_id as string, client_id: client.clientId }
    const by = { person: accountId, proof: proofOf(person) }
    if (!(await keepGrant(database, { id: grantId, ...grantOf, seconds: lifetimes.refreshMost, by }))) throw wrong()
    const grant = new provider.Grant({ jti: grantId, accountId, clientId: client.clientId } as never)
    grant.addOIDCScope(scope)
    grant.addResourceScope(audience, scope)
    await grant.save()
    const role = await outlive(ctx, { jti: grantId })
    const usable = usableScopes(role, scope.split(' ')).join(' ')
    if (usable === '' && scope !== '')
      throw new errors.InvalidScope(`the role ${role} can use none of these scopes`, scope)
    const accessToken = new provider.AccessToken({
      accountId,
      client,
      grantId,
      gty: 'password',
      scope: usable,
    } as never)
    const info = {
      audience,
      scope: [...known].join(' '),
      accessTokenFormat: 'jwt',
      accessTokenTTL: lifetimes.accessToken,
      jwt: { sign: { alg: 'RS256' } },
    }
    accessToken.resourceServer = new provider.ResourceServer(audience, info as never) as never
    const value = await accessToken.save()
    const refreshToken = client.grantTypeAllowed('refresh_token')
      ? await new provider.RefreshToken({
          accountId,
          client,
          grantId,
          gty: 'password',
          scope,
          resource: audience,
          rotations: 0,
        } as never).save()
      : undefined
    ctx.body = {
      access_token: value,
      token_type: 'Bearer',
      expires_in: lifetimes.accessToken,
      ...(refreshToken && { refresh_token: refreshToken }),
      scope: usable,
    }
  }
}

function grantedScope(ctx: KoaContextWithOIDC, known: ReadonlySet<string>): string {
  const allowed = new Set(ctx.oidc.client?.scope?.split(' '))
  const asked = String(ctx.oidc.params?.scope ?? '')
    .split(' ')
    .filter(Boolean)
  for (const scope of asked) {
    if (!known.has(scope)) throw new errors.InvalidScope('there is no such scope', scope)
    if (!allowed.has(scope)) throw new errors.InvalidScope('requested scope is not allowed', scope)
  }
  return asked.join(' ')
}

function wrong(): Error {
  return refused('the username or the password is wrong')
}

function refused(error_description: string): Error {
  return Object.assign(new errors.InvalidGrant(error_description), { error_description })
}

/** A refusal of ours in OAuth's form; its header fields come along. */
function asOAuthError(ctx: KoaContextWithOIDC) {
  return (error: unknown): never => {
    if (!(error instanceof Refusal)) throw error
    ctx.set(error.headers)
    const status = error.kind === 'too_many' ? 429 : 503
    throw Object.assign(new errors.OIDCProviderError(status, error.code), {
      error_description: error.message,
      expose: true,
    })
  }
}
