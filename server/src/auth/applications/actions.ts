import { createHash, randomBytes } from 'node:crypto'
import { type Context, transaction } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { invalid, quote } from '../../core/refusal.ts'
import { sql } from '../../db/sql.ts'
import { record } from '../../events/record.ts'
import { type Scope, scopeNames } from '../scopes.ts'

export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', 'password'] as const
export type GrantType = (typeof grantTypes)[number]

export type NewApplication = {
  name: string
  type: 'confidential' | 'public'
  redirect_uris: readonly string[]
  scopes: readonly Scope[]
  grant_types: readonly GrantType[]
}

export type CreatedApplication = NewApplication & { id: string; client_id: string; client_secret: string | null }

/** The secret is in this answer and nowhere else: what is stored is its hash. */
export async function createApplication(ctx: Context, input: NewApplication): Promise<CreatedApplication> {
  check(input)
  const application = { id: newId(), client_id: newClientId(ctx.org), ...input }
  const client_secret = input.type === 'confidential' ? randomBytes(32).toString('base64url') : null
  await transaction(ctx, async (ctx) => {
    await ctx.run(sql`
      insert into applications (org_id, id, client_id, name, type, redirect_uris, scopes, grant_types)
      values (${ctx.org}, ${application.id}, ${application.client_id}, ${input.name}, ${input.type}, ${input.redirect_uris}, ${input.scopes}, ${input.grant_types})`)
    if (client_secret) {
      await ctx.run(
        sql`insert into application_secrets (org_id, id, application_id, sha256) values (${ctx.org}, ${newId()}, ${application.id}, ${hashSecret(client_secret)})`,
      )
    }
    await record(ctx, { type: 'oauth_application.created', subject: { type: 'oauth_application', id: application.id }, data: JSON.stringify(application) })
  })
  return { ...application, client_secret }
}

/** A secret has 256 random bits, so one round of SHA-256 is enough to keep it from anyone who reads the table. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** A client id carries its organization, so that an application is always looked up inside one. */
function newClientId(org: string): string {
  return `${Buffer.from(org.replaceAll('-', ''), 'hex').toString('base64url')}${randomBytes(12).toString('base64url')}`
}

function check({ name, type, redirect_uris, scopes, grant_types }: NewApplication): void {
  if (name.trim() === '' || name.length > 200) throw invalid('name', 'bad_name', 'The name of an application has 1 to 200 characters.')
  for (const uri of redirect_uris) {
    const url = URL.parse(uri)
    const loopback = url && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
    if (!url || url.hash || !(url.protocol === 'https:' || (url.protocol === 'http:' && loopback))) {
      throw invalid('redirect_uris', 'bad_redirect_uri', `${quote(uri)} is not an https address (or http on 127.0.0.1, [::1] or localhost) without a fragment.`)
    }
  }
  const unknownScope = scopes.find((scope) => !scopeNames.includes(scope))
  if (unknownScope) throw invalid('scopes', 'unknown_value', `There is no scope ${quote(unknownScope)}.`, scopeNames)
  const unknownGrant = grant_types.find((grant) => !grantTypes.includes(grant))
  if (unknownGrant) throw invalid('grant_types', 'unknown_value', `There is no grant type ${quote(unknownGrant)}.`, grantTypes)
  const secretFlow = grant_types.find((grant) => grant === 'client_credentials' || grant === 'password')
  if (type === 'public' && secretFlow) throw invalid('grant_types', 'needs_secret', `A public application keeps no secret, so it cannot use ${secretFlow}.`)
}
