import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export type Logo = { media_type: 'image/png' | 'image/jpeg'; content: Buffer }

export async function findLogo(ctx: Context): Promise<Logo | undefined> {
  const [row] = await ctx.run<Logo>(sql`select media_type, content from organization_logos where org_id = ${ctx.org}`)
  return row
}

export async function saveLogo(ctx: Context, { media_type, content }: Logo): Promise<void> {
  await ctx.run(sql`
    insert into organization_logos (org_id, media_type, content, updated_at) values (${ctx.org}, ${media_type}, ${content}, statement_timestamp())
    on conflict (org_id) do update set media_type = excluded.media_type, content = excluded.content, updated_at = excluded.updated_at`)
}

export async function deleteLogo(ctx: Context): Promise<boolean> {
  return (await ctx.run(sql`delete from organization_logos where org_id = ${ctx.org} returning org_id`)).length > 0
}
