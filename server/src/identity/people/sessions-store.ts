import { consoleClientId } from '../../platform/access/console-client.ts'
import type { Context } from '../../platform/context.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/** Answers the grants that were made in these sessions. */
export async function deleteSessions(
  { run }: Pool,
  person: string,
  which: { id: string } | { except: string },
): Promise<string[]> {
  const chosen = 'id' in which ? sql`uid = ${which.id}` : sql`uid <> ${which.except}`
  const ended = await run<{ grant_id: string }>(sql`
    with ended as (delete from oidc_records where kind = 'Session' and person_id = ${person} and ${chosen} returning payload)
    select a.value ->> 'grantId' as grant_id from ended, jsonb_each(coalesce(payload -> 'authorizations', '{}')) as a
    where a.value ->> 'grantId' is not null`)
  return ended.map(({ grant_id }) => grant_id)
}

export async function saveProof({ run }: Pool, person: string, session: string, proof: string): Promise<void> {
  await run(sql`
    update oidc_records set payload = payload || jsonb_build_object('proof', ${proof}::text) where kind = 'Session' and person_id = ${person} and uid = ${session}`)
}

/** Of these grants, those that were not made for the time after signing out (`offline_access` of OpenID Connect). */
export async function findOnlineGrants({ run }: Pool, grants: readonly string[]): Promise<string[]> {
  const rows = await run<{ id: string }>(sql`
    select id from unnest(${grants}::text[]) as id where not exists (
      select from oidc_records g where g.kind = 'Grant' and g.grant_id = id and g.payload -> 'openid' ->> 'scope' ~ '(^| )offline_access( |$)')`)
  return rows.map(({ id }) => id)
}

/** Who signs in as a user. */
export async function findPersonOfUser(ctx: Context, user: string): Promise<string | undefined> {
  const [found] = await ctx.run<{ person_id: string | null }>(
    sql`select person_id from users where org_id = ${ctx.org} and id = ${user}`,
  )
  return found?.person_id ?? undefined
}

/** All sessions of a person, or, where they are a user of other organizations too, those in which the console is in this one. */
export async function deleteSessionsIn({ run }: Pool, person: string, org: string, grantPrefix: string): Promise<void> {
  const [elsewhere] = await run(
    sql`select 1 from people where id = ${person} and org_ids <> array[${org}::uuid] and org_ids <> '{}'`,
  )
  await run(sql`
    delete from oidc_records where kind = 'Session' and person_id = ${person} and (
      ${elsewhere === undefined}::boolean or starts_with(payload -> 'authorizations' -> ${consoleClientId}::text ->> 'grantId', ${grantPrefix}))`)
}
