import { systemContext } from '../../auth/organizations/actions.ts'
import { type Context, transaction } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { amendsFor, type Beside, leavesWithin, type Part, readBeside } from '../beside.ts'
import { clearLeaves, insertLeaves } from '../bulk-leaves.ts'
import type { Definition } from './kind.ts'
import { lockDefinition } from './store.ts'

/** Told after each step, and may end it all by throwing: how many objects were looked at, and how many of them had something else beside them than they should. */
export type Progress = { looked: number; mended: number }

/**
 * Takes the objects of all kinds apart anew that were written down for it, and brings what stands beside them in line. Safe to be ended at any moment
 * and to be run by several at once: it goes on where it stopped.
 */
export async function renewObjects(database: Database, tell: (progress: Progress) => void = () => {}): Promise<Progress> {
  const progress = { looked: 0, mended: 0 }
  const kinds = await database.pool.run<{ org_id: string; object_key: string }>(sql`select org_id, object_key from object_renewals order by org_id, object_key`)
  for (const { org_id, object_key } of kinds) {
    const ctx = systemContext(database, org_id)
    for (let step = await renewPage(ctx, object_key); step; step = await renewPage(ctx, object_key)) {
      progress.looked += step.looked
      progress.mended += step.mended
      tell(progress)
    }
  }
  // What PostgreSQL knew about these tables it knew of other ones.
  if (progress.mended > 0) await database.pool.run({ text: 'analyze object_values, object_words, object_word_ends', values: [] })
  return progress
}

/** Writes down all kinds of an organization. */
export async function askForRenewal(ctx: Context): Promise<void> {
  await transaction(ctx, (ctx) =>
    ctx.run(sql`
      insert into object_renewals (org_id, object_key) select org_id, object_key from definitions where org_id = ${ctx.org} and deleted_at is null
      on conflict (org_id, object_key) do update set after_id = excluded.after_id`),
  )
}

/** Nothing once the kind is done. The definition is held, so nobody writes an object of the kind meanwhile. */
function renewPage(ctx: Context, objectKey: string): Promise<Progress | null> {
  return transaction(ctx, async (ctx) => {
    const definition = await lockDefinition(ctx, objectKey)
    const [renewal] = await ctx.run<{ after_id: string }>(
      sql`select after_id from object_renewals where org_id = ${ctx.org} and object_key = ${objectKey} for update`,
    )
    if (!renewal) return null
    const page = definition ? await readBeside(ctx, objectKey, renewal.after_id) : []
    const last = page.at(-1)
    if (!definition || !last) {
      await ctx.run(sql`delete from object_renewals where org_id = ${ctx.org} and object_key = ${objectKey}`)
      return null
    }
    const mended = await mend(ctx, definition, page)
    await ctx.run(sql`update object_renewals set after_id = ${last.id} where org_id = ${ctx.org} and object_key = ${objectKey}`)
    return { looked: page.length, mended }
  })
}

async function mend(ctx: Context, definition: Definition, page: readonly Beside[]): Promise<number> {
  const object_key = definition.objectKey
  const wrong = page
    .map((row) => ({ object_id: row.id, ...amendsFor(row, leavesWithin(definition, row)) }))
    .filter(({ gone, missing }) => [...Object.values(gone), ...Object.values(missing)].some(({ length }) => length > 0))
  const gone = (part: Part) => wrong.flatMap(({ object_id, gone }) => gone[part].map((field) => ({ object_id, field })))
  const words = gone('words').map(({ object_id, field: word }) => ({ object_id, object_key, word }))
  await clearLeaves(ctx, gone('values'), words, gone('links'), gone('claims'))
  const claimed = await insertLeaves(
    ctx,
    wrong.map(({ object_id, missing }) => ({ ...missing, id: object_id, object_key })),
  )
  if (!claimed) throw new Error(`Two objects of the kind ${object_key} of the organization ${ctx.org} have the same value in a field that is unique.`)
  return wrong.length
}
