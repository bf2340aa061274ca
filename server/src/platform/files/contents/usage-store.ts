import type { Context } from '../../context.ts'
import { sql } from '../../db/sql/sql.ts'

export type UsageOwner = 'organization' | 'carrier' | 'link'
export type Usage = { files: number; bytes: number }

/** Adds what was just written to what is used, and answers what it comes to. Nobody else adds to it until the transaction ends. */
export async function addUsage(ctx: Context, whose: UsageOwner, id: string, { files, bytes }: Usage): Promise<Usage> {
  const [row] = await ctx.run<Usage>(sql`
    update file_usage u set files = u.files + ${files}, bytes = u.bytes + ${bytes} where u.org_id = ${ctx.org} and u.whose = ${whose} and u.whose_id = ${id}
    returning u.files::float8 as files, u.bytes::float8 as bytes`)
  if (row) return row
  if (whose !== 'link') return recount(ctx, whose, id)
  const [first] = await ctx.run<Usage>(sql`
    insert into file_usage as u (org_id, whose, whose_id, files, bytes) values (${ctx.org}, ${whose}, ${id}, ${files}, ${bytes})
    on conflict (org_id, whose, whose_id) do update set files = u.files + excluded.files, bytes = u.bytes + excluded.bytes
    returning u.files::float8 as files, u.bytes::float8 as bytes`)
  return first as Usage
}

/** What is used now; undefined where nobody has counted yet. */
export async function findUsage(ctx: Context, whose: UsageOwner, id: string): Promise<Usage | undefined> {
  const [row] = await ctx.run<Usage>(sql`
    select u.files::float8 as files, u.bytes::float8 as bytes from file_usage u where u.org_id = ${ctx.org} and u.whose = ${whose} and u.whose_id = ${id}`)
  return row
}

/** Counts what there is, with what this transaction has written: of those who had files before anybody counted. */
async function recount(ctx: Context, whose: 'organization' | 'carrier', id: string): Promise<Usage> {
  await ctx.run(
    sql`insert into file_usage (org_id, whose, whose_id) values (${ctx.org}, ${whose}, ${id}) on conflict (org_id, whose, whose_id) do nothing`,
  )
  await ctx.run(
    sql`select from file_usage where org_id = ${ctx.org} and whose = ${whose} and whose_id = ${id} for update`,
  )
  const [there] = await ctx.run<Usage>(
    whose === 'organization'
      ? sql`select (select count(*)::float8 from document_files d where d.org_id = ${ctx.org}) as files,
          (select coalesce(sum(f.size), 0)::float8 from stored_files f where f.org_id = ${ctx.org}) as bytes`
      : sql`select count(*)::float8 as files, coalesce(sum(d.size), 0)::float8 as bytes
          from portal_documents p join document_files d on d.org_id = p.org_id and d.id = p.document_id
          where p.org_id = ${ctx.org} and d.org_id = ${ctx.org} and p.partner_carrier_id = ${id}`,
  )
  const counted = there as Usage
  await ctx.run(sql`
    update file_usage set files = ${counted.files}, bytes = ${counted.bytes} where org_id = ${ctx.org} and whose = ${whose} and whose_id = ${id}`)
  return counted
}

/** Before a document is deleted: it counts no more, for its organization and for the carrier that sent it. Its content counts until it is gone. */
export async function releaseDocument(ctx: Context, document: string): Promise<void> {
  await ctx.run(sql`
    update file_usage u set files = greatest(u.files - 1, 0), bytes = case when u.whose = 'carrier' then greatest(u.bytes - d.size, 0) else u.bytes end
    from document_files d left join portal_documents p on p.org_id = d.org_id and p.document_id = d.id
    where u.org_id = ${ctx.org} and d.org_id = ${ctx.org} and d.id = ${document}
      and (u.whose = 'organization' or (u.whose = 'carrier' and u.whose_id = p.partner_carrier_id))`)
}

/** When a content is removed from the storage. */
export async function releaseContent(ctx: Context, sha256: string): Promise<void> {
  await ctx.run(sql`
    update file_usage u set bytes = greatest(u.bytes - f.size, 0) from stored_files f
    where u.org_id = ${ctx.org} and f.org_id = ${ctx.org} and f.sha256 = ${sha256} and u.whose = 'organization'`)
}
