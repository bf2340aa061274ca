import type { Context } from '../../context.ts'
import { notFound } from '../../core/refusal.ts'
import type { Revised } from '../../core/revisions.ts'
import { each, sql } from '../../db/sql.ts'
import { withDefinitions } from '../definitions/read.ts'
import { chosen, readPaths } from '../search/paths.ts'

/** How a caller names an object: by our id, or by its kind and the id it has elsewhere. */
export type ObjectReference = { by: 'id'; id: string } | { by: 'externalId'; objectKey: string; externalId: string }

export type Found = Revised & { id: string; object_key: string }

/** The object as it goes out. By id it is one statement in which nothing but the id varies, so that reads which arrive together can share it. */
export async function findObject(ctx: Context, reference: ObjectReference, { deleted = false } = {}): Promise<Found | undefined> {
  const [row] = await ctx.run<Found>(
    deleted && reference.by === 'id'
      ? sql`select id, object_key, revision, json from objects_wire where org_id = ${ctx.org} and id = ${each('uuid', reference.id)}`
      : reference.by === 'id'
        ? sql`select id, object_key, revision, json from objects_wire where org_id = ${ctx.org} and id = ${each('uuid', reference.id)} and deleted_at is null`
        : sql`select id, object_key, revision, json from objects_wire where org_id = ${ctx.org} and id = (
            select id from objects where org_id = ${ctx.org} and object_key = ${reference.objectKey} and external_id = ${reference.externalId} and deleted_at is null)`,
  )
  return row
}

/** Of an object that was found, what the paths ask for. */
export async function findChosen(ctx: Context, { id, object_key }: Found, paths: readonly string[], permit: (objectKey: string) => void): Promise<Found> {
  const row = await withDefinitions(ctx, async (define) => {
    const lookup = (key: string) => {
      permit(key)
      return define(key)
    }
    const choice = await readPaths(await define(object_key), paths, lookup)
    const [row] = await ctx.run<Found>(sql`
      select w.id, w.object_key, w.revision, (${chosen(ctx.org, choice)})::text as json from objects_wire w where w.org_id = ${ctx.org} and w.id = ${id} and w.deleted_at is null`)
    return row
  })
  if (!row) throw notFound('object', id)
  return row
}
