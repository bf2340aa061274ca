import { type Context, transaction } from '../../context.ts'
import { type Detail, Refusal, unavailable } from '../../core/refusal.ts'
import type { Mode } from '../../core/rows.ts'
import { sql } from '../../db/sql.ts'
import { recordEach } from '../../events/record.ts'
import { holdDefinition } from '../definitions/read.ts'
import { leavesOf } from '../index/entries.ts'
import { insertLeaves } from '../index/entries-store.ts'
import { type Definition, snakeCase } from '../kinds/kind.ts'
import type { WriteOptions } from '../single/decide.ts'
import { planDeletions } from './deletions.ts'
import { type Planned, planUpserts } from './plan.ts'
import { type Row, readRows } from './rows.ts'
import { deleteObjects, insertObjects, lookUp, type Named, type Seen, saveObjects, takeNumbers, waitForDeleters, wholeObjects } from './store.ts'

export type BulkOptions = WriteOptions & {
  mode: Mode
  /** Tries everything and keeps nothing. */
  dryRun?: boolean
  /** A row whose id nothing has here is known by its external id instead. */
  foreignIds?: boolean
}

/** What came of one row of many. With a refusal nothing came of it. */
export type Outcome = {
  status: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed'
  objectKey: string | null
  id: string | null
  fullId: string | null
  externalId: string | null
  version: number | null
  ignored: readonly Detail[]
  refusal?: Refusal
}

/**
 * Creates, changes or deletes an object for each row, in one transaction: set by set, not row by row. First what is created and changed, then what is
 * deleted. Each row is checked on its own, and what is wrong with it is said of it alone. Where another makes the same thing meanwhile,
 * everything goes back to the start and finds it there.
 */
export function writeObjects(ctx: Context, sent: readonly unknown[], options: BulkOptions): Promise<{ outcomes: Outcome[]; applied: boolean }> {
  const rows = readRows(sent)
  return transaction(ctx, async (ctx) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await ctx.run(sql`savepoint before_rows`)
      const planned = await attemptRows(ctx, rows, options)
      const applied = planned !== null && !options.dryRun && (options.mode === 'best_effort' || planned.every(({ plan }) => !(plan instanceof Refusal)))
      // What was only tried, and what met another's work, leaves nothing and holds nothing.
      if (!applied) await ctx.run(sql`rollback to savepoint before_rows`)
      if (planned) return { applied, outcomes: planned.map((entry, index) => outcomeOf(entry, sent[index], applied)) }
    }
    throw unavailable('Too many are writing the same objects at this moment. Try again.')
  })
}

/** Null where an object came or went between looking and taking. */
async function attemptRows(ctx: Context, rows: readonly (Row | Refusal)[], options: BulkOptions): Promise<Planned[] | null> {
  const good = rows.filter((row) => !(row instanceof Refusal)) as Row[]
  await waitForDeleters(ctx, { deleting: good.some(({ op }) => op === 'delete') })
  const seen = await lookUp(ctx, namedIn(good))
  const permitted = permit(rows, seen, options)
  const definitions = await holdDefinitions(ctx, permitted, seen)
  const upserts = await planUpserts(ctx, permitted, { seen, definitions, options })
  if (!upserts || !(await apply(ctx, upserts, options))) return null
  const planned = await planDeletions(ctx, permitted, upserts, definitions)
  await applyDeletions(ctx, planned)
  return planned
}

export function namedIn(rows: readonly Row[]): Named {
  return {
    ids: rows.flatMap(({ id }) => id ?? []),
    externals: rows.flatMap(({ objectKey, externalId }) => (objectKey === null || externalId === null ? [] : [{ objectKey, externalId }])),
  }
}

/** Whoever may not have to do with a kind learns nothing about its objects. */
function permit(rows: readonly (Row | Refusal)[], seen: readonly Seen[], { permit = () => {} }: BulkOptions): (Row | Refusal)[] {
  const kinds = new Map(seen.map(({ id, object_key }) => [id, object_key]))
  return rows.map((row) => {
    if (row instanceof Refusal) return row
    try {
      for (const kind of [row.objectKey, row.id === null ? null : kinds.get(row.id)]) if (kind) permit(kind)
      return row
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  })
}

/** In the order of their names, as everyone who takes several does. */
async function holdDefinitions(ctx: Context, rows: readonly (Row | Refusal)[], seen: readonly Seen[]): Promise<Map<string, Definition | Refusal>> {
  const kinds = new Set([...rows.flatMap((row) => (row instanceof Refusal ? [] : (row.objectKey ?? []))), ...seen.map(({ object_key }) => object_key)])
  const held = new Map<string, Definition | Refusal>()
  for (const kind of [...kinds].sort()) {
    held.set(
      kind,
      await holdDefinition(ctx, kind).catch((error) => {
        if (error instanceof Refusal) return error
        throw error
      }),
    )
  }
  return held
}

async function apply(ctx: Context, planned: readonly Planned[], { source = 'api' }: BulkOptions): Promise<boolean> {
  const newcomers = planned.flatMap(({ plan }) => (plan && 'created' in plan ? [plan.created] : []))
  const changes = planned.flatMap(({ plan }) => (plan && 'change' in plan ? [plan.change] : []))
  if (newcomers.length > 0) {
    const numbers = await takeNumbers(ctx, new Map([...Map.groupBy(newcomers, ({ object_key }) => object_key)].map(([kind, { length }]) => [kind, length])))
    for (const newcomer of newcomers) {
      const number = (numbers.get(newcomer.object_key) as number) + 1
      numbers.set(newcomer.object_key, number)
      Object.assign(newcomer, { number, full_id: `${newcomer.definition.prefix}-${number}` })
    }
  }
  // Values that are given up first, so that a newcomer of the same request can have them; references last, when all that they point to is there.
  const kept = await saveObjects(ctx, changes)
  const made = await insertObjects(ctx, newcomers, source)
  if (!(await insertLeaves(ctx, [...kept, ...made]))) return false
  await tell(ctx, [
    ...newcomers.map(({ id, object_key }) => ({ id, object_key, verb: 'created' })),
    ...changes.map(({ locked: { id, object_key }, previous }) => ({ id, object_key, verb: 'updated', previous })),
  ])
  return true
}

async function applyDeletions(ctx: Context, planned: readonly Planned[]): Promise<void> {
  const gone = planned.flatMap(({ plan }) => (plan && 'deleted' in plan ? [plan.deleted] : []))
  if (gone.length === 0) return
  await tell(
    ctx,
    gone.map(({ locked: { id, object_key } }) => ({ id, object_key, verb: 'deleted' })),
    { after: 1 },
  )
  await deleteObjects(
    ctx,
    gone.map(({ locked, definition }) => ({ locked, leaves: leavesOf(definition, locked.content) })),
  )
}

type Told = { id: string; object_key: string; verb: string; previous?: Record<string, unknown> }

async function tell(ctx: Context, events: readonly Told[], { after = 0 } = {}): Promise<void> {
  for (const [kind, told] of Map.groupBy(events, ({ object_key }) => object_key)) {
    const noun = snakeCase(kind)
    const whole = wholeObjects(
      ctx,
      told.map(({ id }) => id),
      { after },
    )
    await recordEach(
      ctx,
      noun,
      told.map(({ id, verb, previous }) => ({ id, type: `${noun}.${verb}` as const, ...(previous && { previous }) })),
      whole,
    )
  }
}

/** Where nothing is kept, what would have been made has neither id nor version, and what is there stays as it is. */
function outcomeOf({ plan, locked, ignored = [] }: Planned, sent: unknown, applied: boolean): Outcome {
  const there = locked && {
    objectKey: locked.object_key,
    id: locked.id,
    fullId: locked.full_id,
    externalId: locked.content.externalId,
    version: locked.version,
  }
  if (plan === null || plan instanceof Refusal) {
    const blank = { ...saidOf(sent), id: null, fullId: null, version: null, ...there, ignored: [] }
    return plan ? { ...blank, status: 'failed', refusal: plan } : { ...blank, status: 'unchanged', ignored }
  }
  if ('created' in plan) {
    const { id, object_key, full_id, content } = plan.created
    const made = { objectKey: object_key, externalId: content.externalId, ignored, status: 'created' as const }
    return applied ? { ...made, id, fullId: full_id, version: 1 } : { ...made, id: null, fullId: null, version: null }
  }
  const { version = 0, ...rest } = there as NonNullable<typeof there>
  const externalId = 'change' in plan ? plan.change.content.externalId : rest.externalId
  return { ...rest, externalId, ignored, status: 'change' in plan ? 'updated' : 'deleted', version: applied ? version + 1 : version }
}

/** Also of a row that is wrong, so that its sender finds it again. */
function saidOf(sent: unknown): Pick<Outcome, 'objectKey' | 'externalId'> {
  const { objectKey, externalId, json } = (sent ?? {}) as { objectKey?: unknown; externalId?: unknown; json?: { externalId?: unknown } | null }
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return { objectKey: text(objectKey), externalId: text(externalId) ?? text(json?.externalId) }
}
