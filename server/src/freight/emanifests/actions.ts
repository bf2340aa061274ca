import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { announcements } from '../../platform/core/announcements.ts'
import { conflict, invalid, notFound, quote } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { stopsIn } from '../stops/itinerary/model.ts'
import { type FilingObstacle, findMissing } from './contents/missing.ts'
import { type EmanifestEdit, edit, type NewEmanifest, requireState } from './contents/model.ts'
import { fillFrom } from './contents/source.ts'
import { findSource } from './source-store.ts'
import { findEmanifest, insertEmanifest, type LockedEmanifest, lockEmanifest, saveContent, saveState } from './store.ts'

/** Something waits to be handed over in this process. */
export const filingAsked = announcements<[]>()

export function createEmanifest(
  ctx: Context,
  { manifest_id, border, stop_id = null }: NewEmanifest,
): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const source = await findSource(ctx, manifest_id)
    if (!source)
      throw invalid(
        'manifest_id',
        'unknown_reference',
        `There is no manifest ${quote(manifest_id)} in this organization.`,
      )
    const stop = stop_id?.toLowerCase() ?? null
    if (stop && !stopsIn(source.manifest).some(({ id }) => id === stop))
      throw invalid('stop_id', 'unknown_reference', `There is no stop ${quote(stop_id)} on this manifest.`)
    const id = newId()
    await insertEmanifest(ctx, {
      id,
      manifest_id: source.id,
      border,
      created_by: await actorId(ctx),
      ...fillFrom(source, border, stop),
    })
    return { id, ...(await recordEmanifest(ctx, 'created', id)) }
  })
}

export function updateEmanifest(
  ctx: Context,
  id: string,
  input: EmanifestEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const { next, previous } = edit(current, input)
    if (Object.keys(previous).length === 0) return readBack(ctx, id)
    const hint = current.state === 'accepted' ? 'Amend it: POST …/{id}/amend.' : ''
    requireState(current, ['draft', 'validated', 'rejected'], 'changed', hint)
    await saveContent(ctx, id, next)
    return recordEmanifest(ctx, 'updated', id, withState(current, previous))
  })
}

/** Begins a change of what customs has accepted, which counts until that is accepted too. */
export function amendEmanifest(
  ctx: Context,
  id: string,
  input: EmanifestEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    requireState(current, ['accepted'], 'amended')
    const { next, previous } = edit(current, input)
    await saveContent(ctx, id, next, { amended: true })
    return recordEmanifest(ctx, 'amended', id, {
      ...withState(current, previous),
      amendment_number: current.amendment_number,
    })
  })
}

/** Everything that is missing. Where nothing is, a draft and a rejected one are validated; where something is, a validated one is a draft again. */
export function validateEmanifest(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
): Promise<{ emanifest: WireRecord; missing: FilingObstacle[] }> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const missing = findMissing(current, new Date())
    const isGood = missing.length === 0
    const moves = isGood ? current.state === 'draft' || current.state === 'rejected' : current.state === 'validated'
    if (!moves) return { emanifest: await readBack(ctx, id), missing }
    await saveState(ctx, id, [current.state], isGood ? 'validated' : 'draft')
    return {
      emanifest: await recordEmanifest(ctx, isGood ? 'validated' : 'updated', id, { state: current.state }),
      missing,
    }
  })
}

export async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<LockedEmanifest> {
  const current = await lockEmanifest(ctx, id)
  if (!current) throw notFound('e-manifest', id)
  requireExpected(expected, current.revision)
  return current
}

/** Time passes between validating and submitting, and amendments are prepared at leisure. */
export function requireComplete(emanifest: LockedEmanifest): void {
  const missing = findMissing(emanifest, new Date())
  if (missing.length === 0) return
  const [first] = missing as [FilingObstacle]
  throw conflict(
    'emanifest_incomplete',
    `This e-manifest cannot be filed as it is: ${first.message} Validate it again.`,
    missing.map(({ field, message }) => ({ field, code: 'emanifest_incomplete', message })),
  )
}

/** Answers the e-manifest as it is now. */
export async function recordEmanifest(
  ctx: Context,
  verb: string,
  id: string,
  previous?: Record<string, unknown>,
): Promise<WireRecord> {
  const { revision, json } = await readBack(ctx, id)
  await record(ctx, {
    type: `emanifest.${verb}`,
    subject: { type: 'emanifest', id },
    revision,
    data: json,
    ...(previous && { previous }),
  })
  return { revision, json }
}

export async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findEmanifest(ctx, id)
  if (!found) throw new Error(`e-manifest ${id} is missing within its own transaction`)
  return found
}

function withState({ state }: LockedEmanifest, previous: object): Record<string, unknown> {
  return { ...previous, ...(state !== 'draft' && { state }) }
}
