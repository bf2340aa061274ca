import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BadToken, type VerifiedToken, type Verify } from '../../platform/access/tokens/access-token.ts'
import type { Database } from '../../platform/db/database.ts'
import { findGrant } from '../people/grants.ts'
import { findAccount } from '../people/people.ts'

type Parts = { database: Database; verify: Verify }

/** Who signed in, for the holder of their access token. */
export async function userinfo(app: FastifyInstance, { database, verify }: Parts): Promise<void> {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store').header('access-control-allow-origin', '*')
    const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
    const claims = token && (await check(token))
    if (!claims)
      return refuse(reply, 401, token ? 'invalid_token' : null, 'The access token is missing, expired or revoked.')
    if (!claims.scopes.has('openid'))
      return refuse(reply, 403, 'insufficient_scope', 'The access token lacks the scope openid.')
    const grant = claims.grant_id ? await findGrant(database, claims.grant_id) : undefined
    const account = grant && (await findAccount(database, grant.person_id, claims.grant_id))
    if (!account) return refuse(reply, 401, 'invalid_token', 'The access token is missing, expired or revoked.')
    const { email, email_verified, name, ...always } = await account.claims()
    return {
      ...always,
      ...(claims.scopes.has('profile') && { name }),
      ...(claims.scopes.has('email') && { email, email_verified }),
    }
  }
  app.get('/oauth2/userinfo', { schema: { hide: true } }, answer)
  app.post('/oauth2/userinfo', { schema: { hide: true } }, answer)

  async function check(token: string): Promise<VerifiedToken | undefined> {
    try {
      return await verify(token)
    } catch (error) {
      if (error instanceof BadToken) return undefined
      throw error
    }
  }
}

function refuse(reply: FastifyReply, status: number, error: string | null, description: string): FastifyReply {
  const challenge = error
    ? `Bearer realm="lading", error="${error}", error_description="${description}"`
    : 'Bearer realm="lading"'
  return reply
    .code(status)
    .header('www-authenticate', challenge)
    .send({ error: error ?? 'invalid_request', error_description: description })
}
