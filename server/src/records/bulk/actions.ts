import { type Context, transaction } from '../../platform/context.ts'
import { type Detail, Refusal, unavailable } from '../../platform/core/refusal.ts'
import type { Mode } from '../../platform/core/schema/rows.ts'
import { snakeCase } from '../../platform/core/values/text.ts'
import { recordEach } from '../../platform/events/record.ts'
import { holdDefinition } from '../definitions/read.ts'
import { entriesOf } from '../index/entries.ts'
import { insertEntries } from '../index/write.ts'
import type { Definition } from '../kinds/kind.ts'
import { refuse } from '../model/refuse.ts'
import type { WriteOptions } from '../single/decide.ts'
import { afterWrites } from '../single/fixed.ts'
import { planDeletions } from './deletions.ts'
import { writesOf } from './obstacles.ts'
import { planUpserts } from './plan.ts'
import type { PlannedRow } from './planned.ts'
import { type Row, readRows } from './rows.ts'
import {
  deleteObjects,
  findIdentities,
  type Identity,
  insertObjects,
  type NamedObjects,
  rollBack,
  saveObjects,
  setSavepoint,
  takeNumbers,
  waitForDeleters,
  wholeObjects,
} from './store.ts'

export type BulkOptions = WriteOptions & {
  mode: Mode
  /** Does everything, then rolls it back. */
  dryRun?: boolean
  /** An id that is unknown here is ignored where there is an external id. */
  foreignIds?: boolean
}

/** The result of one row; with a refusal nothing was written. */
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
 * Creates, changes or deletes an object for each row, in one transaction and with a few statements for all rows: first creations and changes, then
 * deletions. Each row is checked on its own, and fails alone. If another transaction creates or deletes one of the objects meanwhile, everything
 * starts again.
 */
export function writeObjects(
  ctx: Context,
  sent: readonly unknown[],
  options: BulkOptions,
): Promise<{ outcomes: Outcome[]; applied: boolean }> {
  const rows = readRows(sent)
  return transaction(ctx, async (ctx) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await setSavepoint(ctx)
      const planned = await attemptRows(ctx, rows, options)
      const applied =
        planned !== null &&
        !options.dryRun &&
        (options.mode === 'best_effort' || planned.every(({ plan }) => !(plan instanceof Refusal)))
      if (!applied) await rollBack(ctx)
      if (planned) return { applied, outcomes: planned.map((entry, index) => outcomeOf(entry, sent[index], applied)) }
    }
    throw unavailable('Too many are writing the same objects at this moment. Try again.')
  })
}

/** Null if an object was created or deleted between looking it up and locking it. */
async function attemptRows(
  ctx: Context,
  rows: readonly (Row | Refusal)[],
  options: BulkOptions,
): Promise<PlannedRow[] | null> {
  const good = rows.filter((row) => !(row instanceof Refusal)) as Row[]
  await waitForDeleters(ctx, { deleting: good.some(({ op }) => op === 'delete') })
  const identities = await findIdentities(ctx, namedIn(good))
  const permitted = permit(rows, identities, options)
  const definitions = await holdDefinitions(ctx, permitted, identities)
  const upserts = await planUpserts(ctx, permitted, { identities, definitions, options })
  if (!upserts || !(await apply(ctx, upserts, options))) return null
  const planned = await planDeletions(ctx, permitted, upserts, { definitions, options })
  await applyDeletions(ctx, planned, options)
  return planned
}

function namedIn(rows: readonly Row[]): NamedObjects {
  return {
    ids: rows.flatMap(({ id }) => id ?? []),
    externals: rows.flatMap(({ objectKey, externalId }) =>
      objectKey === null || externalId === null ? [] : [{ objectKey, externalId }],
    ),
  }
}

/** A row of a kind that the caller may not use fails before anything about its object is revealed. */
function permit(
  rows: readonly (Row | Refusal)[],
  identities: readonly Identity[],
  { permit = () => {} }: BulkOptions,
): (Row | Refusal)[] {
  const kinds = new Map(identities.map(({ id, object_key }) => [id, object_key]))
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

/** In the order of their keys, so that nobody waits in a circle. */
async function holdDefinitions(
  ctx: Context,
  rows: readonly (Row | Refusal)[],
  identities: readonly Identity[],
): Promise<Map<string, Definition | Refusal>> {
  const kinds = new Set([
    ...rows.flatMap((row) => (row instanceof Refusal ? [] : (row.objectKey ?? []))),
    ...identities.map(({ object_key }) => object_key),
  ])
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

async function apply(
  ctx: Context,
  planned: readonly PlannedRow[],
  { source = 'api', extensions }: BulkOptions,
): Promise<boolean> {
  const created = planned.flatMap(({ plan }) => (plan && 'created' in plan ? [plan.created] : []))
  const changes = planned.flatMap(({ plan }) => (plan && 'change' in plan ? [plan.change] : []))
  if (created.length > 0) {
    const numbers = await takeNumbers(
      ctx,
      new Map([...Map.groupBy(created, ({ object_key }) => object_key)].map(([kind, { length }]) => [kind, length])),
    )
    for (const object of created) {
      const number = (numbers.get(object.object_key) as number) + 1
      numbers.set(object.object_key, number)
      Object.assign(object, { number, full_id: `${object.definition.prefix}-${number}` })
    }
  }
  // Changes first, so that new objects can have the unique values that they give up; entries last, when everything that they refer to is there.
  const kept = await saveObjects(ctx, changes)
  const made = await insertObjects(ctx, created, source)
  if ((await insertEntries(ctx, [...kept, ...made]).catch(refuse)) > 0) return false
  await afterWrites(ctx, extensions, planned.flatMap(writesOf))
  await recordEvents(ctx, [
    ...created.map(({ id, object_key }) => ({ id, object_key, verb: 'created' })),
    ...changes.map(({ locked: { id, object_key }, previous }) => ({ id, object_key, verb: 'updated', previous })),
  ])
  return true
}

async function applyDeletions(
  ctx: Context,
  planned: readonly PlannedRow[],
  { extensions }: BulkOptions,
): Promise<void> {
  const gone = planned.flatMap(({ plan }) => (plan && 'deleted' in plan ? [plan.deleted] : []))
  if (gone.length === 0) return
  await recordEvents(
    ctx,
    gone.map(({ locked: { id, object_key } }) => ({ id, object_key, verb: 'deleted' })),
    { after: 1 },
  )
  await deleteObjects(
    ctx,
    gone.map(({ locked, definition }) => ({ locked, entries: entriesOf(definition, locked.content) })),
  )
  await afterWrites(
    ctx,
    extensions,
    planned.flatMap((entry) => (entry.plan && 'deleted' in entry.plan ? writesOf(entry) : [])),
  )
}

type Event = { id: string; object_key: string; verb: string; previous?: Record<string, unknown> }

async function recordEvents(ctx: Context, events: readonly Event[], { after = 0 } = {}): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(events, ({ object_key }) => object_key)) {
    const noun = snakeCase(kind)
    const whole = wholeObjects(
      ctx,
      ofKind.map(({ id }) => id),
      { after },
    )
    await recordEach(
      ctx,
      noun,
      ofKind.map(({ id, verb, previous }) => ({ id, type: `${noun}.${verb}` as const, ...(previous && { previous }) })),
      whole,
    )
  }
}

/** If nothing was applied, an object that would have been created has neither id nor version, and others keep theirs. */
function outcomeOf({ plan, locked, ignored = [] }: PlannedRow, sent: unknown, applied: boolean): Outcome {
  const there = locked && {
    objectKey: locked.object_key,
    id: locked.id,
    fullId: locked.full_id,
    externalId: locked.content.externalId,
    version: locked.version,
  }
  if (plan === null || plan instanceof Refusal) {
    const blank = { ...namesSent(sent), id: null, fullId: null, version: null, ...there, ignored: [] }
    return plan ? { ...blank, status: 'failed', refusal: plan } : { ...blank, status: 'unchanged', ignored }
  }
  if ('created' in plan) {
    const { id, object_key, full_id, content } = plan.created
    const made = { objectKey: object_key, externalId: content.externalId, ignored, status: 'created' as const }
    return applied ? { ...made, id, fullId: full_id, version: 1 } : { ...made, id: null, fullId: null, version: null }
  }
  const { version = 0, ...rest } = there as NonNullable<typeof there>
  const externalId = 'change' in plan ? plan.change.content.externalId : rest.externalId
  return {
    ...rest,
    externalId,
    ignored,
    status: 'change' in plan ? 'updated' : 'deleted',
    version: applied ? version + 1 : version,
  }
}

/** Also for a row that is wrong, so that its sender can recognize it. */
function namesSent(sent: unknown): Pick<Outcome, 'objectKey' | 'externalId'> {
  const { objectKey, externalId, json } = (sent ?? {}) as {
    objectKey?: unknown
    externalId?: unknown
    json?: { externalId?: unknown } | null
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return { objectKey: text(objectKey), externalId: text(externalId) ?? text(json?.externalId) }
}
