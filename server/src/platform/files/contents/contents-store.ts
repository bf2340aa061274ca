import type { Context } from '../../context.ts'
import type { Pool } from '../../db/pool/connect.ts'
import { type Statement, sql } from '../../db/sql/sql.ts'
import type { ContentKey } from '../storage/storage.ts'
import { isNotice } from './notices-sql.ts'
import { releaseContent } from './usage-store.ts'

/** Says that the content is wanted, before it is written; whoever would remove it waits until the transaction ends. True where nobody had it before. */
export async function holdContent(ctx: Context, sha256: string, size: number): Promise<boolean> {
  const added = await ctx.run(sql`
    insert into stored_files as f (org_id, sha256, size, held_at) values (${ctx.org}, ${sha256}, ${size}, statement_timestamp())
    on conflict (org_id, sha256) do nothing returning f.sha256`)
  if (added.length > 0) return true
  const held = await ctx.run(sql`
    update stored_files f set held_at = statement_timestamp() where f.org_id = ${ctx.org} and f.sha256 = ${sha256} returning f.sha256`)
  // It was removed in between.
  return held.length > 0 ? false : holdContent(ctx, sha256, size)
}

/** Locks a content that no document has; false where one has it, somebody else is busy with it, or a backup is being made. */
export async function lockUnused(ctx: Context, sha256: string): Promise<boolean> {
  const [free] = await ctx.run<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${contentsLock}) as mine from organizations where org_id = ${ctx.org}`,
  )
  if (!free?.mine) return false
  const locked = await ctx.run(
    sql`select sha256 from stored_files where org_id = ${ctx.org} and sha256 = ${sha256} for update skip locked`,
  )
  if (locked.length === 0) return false
  const used = await ctx.run(sql`select from document_files where org_id = ${ctx.org} and sha256 = ${sha256} limit 1`)
  return used.length === 0
}

/** Whoever removes content shares this advisory lock; whoever makes a backup has it alone, so that nothing which it is to copy goes meanwhile. */
export const contentsLock = 7_030_411

/** Until the connection ends. */
export const lockContents: Statement = sql`select pg_advisory_lock(${contentsLock})`

export async function deleteContent(ctx: Context, sha256: string): Promise<void> {
  await releaseContent(ctx, sha256)
  await ctx.run(sql`delete from stored_files where org_id = ${ctx.org} and sha256 = ${sha256}`)
}

/** Contents that no document has, and that nobody is about to use: whoever wanted one last did so long ago, or has deleted its document since. */
export async function listUnused({ run }: Pool, graceSeconds: number): Promise<ContentKey[]> {
  return run(sql`
    select f.org_id, f.org_id as org, f.sha256 from stored_files f
    where f.held_at < statement_timestamp() - ${graceSeconds}::int * interval '1 second'
      and not exists (select from document_files d where d.org_id = f.org_id and d.sha256 = f.sha256)
    limit 1000`) as Promise<never>
}

/** Documents whose last record is gone, and those that were attached to nothing for so long. */
export async function listUnheld({ run }: Pool, graceSeconds: number): Promise<{ org_id: string; id: string }[]> {
  return run(sql`
    select d.org_id, d.id from document_files d
    where (d.was_attached or d.created_at < statement_timestamp() - ${graceSeconds}::int * interval '1 second')
      and not exists (select from document_links l where l.org_id = d.org_id and l.document_id = d.id) and not ${isNotice(sql`d.org_id`, sql`d.id`)}
    limit 1000`)
}

/** A document that nothing holds, with its JSON as it was last; undefined where something holds it again. */
export async function lockUnheld(ctx: Context, id: string): Promise<{ revision: number; json: string } | undefined> {
  await ctx.run(sql`select id from document_files where org_id = ${ctx.org} and id = ${id} for update`)
  const [row] = await ctx.run<{ revision: number; json: string }>(sql`
    select w.revision, w.open_json || ',"attached_to":[]}' as json from document_files_wire w
    where w.org_id = ${ctx.org} and w.id = ${id} and not exists (select from document_links l where l.org_id = ${ctx.org} and l.document_id = w.id)
      and not ${isNotice(sql`${ctx.org}`, sql`w.id`)}`)
  return row
}

/** Every content that a document has, in all organizations, from one place to the next. */
export async function listUsed(
  { run }: Pick<Pool, 'run'>,
  after: ContentKey | null,
  limit: number,
): Promise<(ContentKey & { size: number })[]> {
  return run(sql`
    select f.org_id as org, f.sha256, f.size::float8 as size from stored_files f
    where (f.org_id, f.sha256) > (${after?.org ?? '00000000-0000-0000-0000-000000000000'}::uuid, ${after?.sha256 ?? ''})
      and exists (select from document_files d where d.org_id = f.org_id and d.sha256 = f.sha256)
    order by f.org_id, f.sha256 limit ${limit}`)
}

/** Those of these contents that are known. */
export async function listKnown({ run }: Pool, keys: readonly ContentKey[]): Promise<ContentKey[]> {
  return run(sql`
    select f.org_id as org, f.sha256 from stored_files f
    join unnest(${keys.map(({ org }) => org)}::uuid[], ${keys.map(({ sha256 }) => sha256)}::text[]) as n(org, sha256) on f.org_id = n.org and f.sha256 = n.sha256`)
}
