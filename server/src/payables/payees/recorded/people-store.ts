import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'

type Person = { id: string; email: string }

/** The users with one of these roles who can sign in. */
export function listWithRoles(ctx: Context, roles: readonly string[]): Promise<Person[]> {
  return ctx.run<Person>(
    sql`select id::text as id, email from users where org_id = ${ctx.org} and role = any(${roles}::text[]) and disabled_at is null and joined_at is not null order by id`,
  )
}

/** Those of these who are users that can sign in. */
export function listPeople(ctx: Context, ids: readonly string[]): Promise<Person[]> {
  return ctx.run<Person>(
    sql`select id::text as id, email from users where org_id = ${ctx.org} and id::text = any(${ids}::text[]) and disabled_at is null and joined_at is not null order by id`,
  )
}
