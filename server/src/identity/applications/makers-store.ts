import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/** By whom somebody was given a way to act, and the names under which that one acts. */
export type ActorMaker = { by: string; ids: string[] }

/** From the events, which stay when an application is deleted: who was shown its secret; and who invited users that joined within so many days. */
export async function listGiven({ org, run }: Context, newUserDays: number): Promise<ActorMaker[]> {
  return run<ActorMaker>(sql`
    select distinct e.actor ->> 'id' as by, array[e.subject_id::text, e.data ->> 'client_id'] as ids from events e
    where e.org_id = ${org} and e.subject_type = 'oauth_application' and e.type in ('oauth_application.created', 'oauth_application.secret_rotated')
    union all
    select distinct e.actor ->> 'id', array[e.subject_id::text] from events e join users u on u.org_id = e.org_id and u.id = e.subject_id
    where e.org_id = ${org} and u.org_id = ${org} and e.subject_type = 'user' and e.type in ('user.created', 'user.invited')
      and u.joined_at > statement_timestamp() - ${newUserDays} * interval '1 day'`)
}

/** Who has said to which addresses the codes of this application go. */
export async function listRedirectors({ org, run }: Context, clientId: string): Promise<string[]> {
  const rows = await run<{ by: string }>(sql`
    select distinct e.actor ->> 'id' as by from events e where e.org_id = ${org} and e.subject_type = 'oauth_application'
      and e.type = 'oauth_application.updated' and e.data ->> 'client_id' = ${clientId} and e.previous ? 'redirect_uris'`)
  return rows.map(({ by }) => by)
}
