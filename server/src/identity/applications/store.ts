import type { Context } from '../../platform/context.ts'
import {
  envelope,
  type FoundRecords,
  nothingFound,
  type PageRequest,
  pageOf,
} from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { andChanged, type ChangeTime } from '../../platform/db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Content, OAuthApplication } from './model.ts'

export async function listApplications(ctx: Context, search: PageRequest & ChangeTime): Promise<string> {
  const page = pageOf('oauth_applications', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'applications', search)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from applications where ${filter})`,
      rows: sql`from applications_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('oauth_applications', found ?? nothingFound, page)
}

export async function findApplication(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from applications_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function lockApplication(ctx: Context, id: string): Promise<OAuthApplication | undefined> {
  const locked = await ctx.run(sql`select id from applications where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findApplication(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

export async function insertApplication(
  ctx: Context,
  id: string,
  client_id: string,
  { name, type, redirect_uris, scopes, grant_types, require_pkce, access }: Content,
): Promise<void> {
  await ctx.run(sql`
    insert into applications (org_id, id, client_id, name, type, redirect_uris, scopes, grant_types, require_pkce, access)
    values (${ctx.org}, ${id}, ${client_id}, ${name}, ${type}, ${redirect_uris}, ${scopes}, ${grant_types}, ${require_pkce}, ${access})`)
}

export async function saveApplication(
  ctx: Context,
  { id, name, redirect_uris, scopes, grant_types, require_pkce, access, disabled_at }: OAuthApplication,
): Promise<void> {
  await ctx.run(sql`
    update applications set name = ${name}, redirect_uris = ${redirect_uris}, scopes = ${scopes}, grant_types = ${grant_types},
      require_pkce = ${require_pkce}, access = ${access}, disabled_at = ${disabled_at}, revision = revision + 1, updated_at = now()
    where org_id = ${ctx.org} and id = ${id}`)
}

/** The grants it was given, in its own organization, go with it; those of others find no application any more. */
export async function deleteApplication(ctx: Context, { id, client_id }: OAuthApplication): Promise<void> {
  await ctx.run(
    sql`update grants set revoked_at = now() where org_id = ${ctx.org} and client_id = ${client_id} and revoked_at is null`,
  )
  await ctx.run(sql`delete from applications where org_id = ${ctx.org} and id = ${id}`)
}

export async function insertSecret(ctx: Context, application: string, sha256: Buffer): Promise<void> {
  await ctx.run(
    sql`insert into application_secrets (org_id, id, application_id, sha256) values (${ctx.org}, ${newId()}, ${application}, ${sha256})`,
  )
}

/** No secret stays good for longer than this from now; those that are over already go. */
export async function expireSecrets(ctx: Context, application: string, seconds: number): Promise<void> {
  await ctx.run(sql`
    update application_secrets set expires_at = least(coalesce(expires_at, 'infinity'), now() + ${seconds} * interval '1 second')
    where org_id = ${ctx.org} and application_id = ${application}`)
  await ctx.run(
    sql`delete from application_secrets where org_id = ${ctx.org} and application_id = ${application} and expires_at <= now()`,
  )
}
