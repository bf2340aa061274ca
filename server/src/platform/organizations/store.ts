import type { Context } from '../context.ts'
import type { Pool } from '../db/pool/connect.ts'
import { sql } from '../db/sql/sql.ts'

export type Organization = { id: string; name: string; created_at: Date }

export async function insertOrganization(ctx: Context, name: string): Promise<void> {
  await ctx.run(sql`insert into organizations (org_id, name) values (${ctx.org}, ${name})`)
}

/** A new one as the API answers it, and events carry it: it has no logo yet. */
export async function findRecord(ctx: Context): Promise<{ json: string } | undefined> {
  const [row] = await ctx.run<{ json: string }>(
    sql`select left(json, -1) || ',"has_logo":false}' as json from organizations_wire where org_id = ${ctx.org}`,
  )
  return row
}

export async function findOrganization({ run }: Pool, id: string): Promise<Organization | undefined> {
  const [organization] = await run<Organization>(
    sql`select org_id as id, name, created_at from organizations where org_id = ${id}`,
  )
  return organization
}

/** Lists them with the oldest first. */
export async function listOrganizations({ run }: Pool): Promise<Organization[]> {
  return run<Organization>(sql`select org_id as id, name, created_at from organizations order by created_at, org_id`)
}
