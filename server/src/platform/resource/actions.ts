import { actorId } from '../access/acting/acting.ts'
import { type Context, transaction } from '../context.ts'
import { notFound } from '../core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../core/schema/revisions.ts'
import { newId, type PlainReference, sentAs } from '../core/values/ids.ts'
import { record } from '../events/record.ts'
import type { PlainRecord, PlainRecordFrom, Values } from './plain-record.ts'
import { deleteRecord, findRecord, insertRecord, lockRecord, saveRecord } from './store.ts'

export function createRecord<New extends object>(
  ctx: Context,
  plain: PlainRecordFrom<New>,
  input: NoInfer<New>,
): Promise<WireRecord & { id: string }> {
  const content = plain.contentOf(input)
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await plain.require?.(ctx, { id, before: null, after: content, previous: {} })
    await insertRecord(ctx, plain, id, content, plain.isSigned ? await actorId(ctx) : null)
    await plain.alsoSave?.(ctx, id, content)
    return { id, ...(await recordWritten(ctx, plain, 'created', id)) }
  })
}

export function updateRecord<New extends object>(
  ctx: Context,
  plain: PlainRecordFrom<New>,
  reference: PlainReference,
  input: Partial<NoInfer<New>>,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const before = await requireRecord(ctx, plain, reference, expected)
    const { id } = before
    const { next: after, previous } = plain.edit(before, input)
    if (Object.keys(previous).length === 0) return readBack(ctx, plain, id)
    await plain.require?.(ctx, { id, before, after, previous })
    await saveRecord(ctx, plain, id, after)
    await plain.alsoSave?.(ctx, id, after)
    return recordWritten(ctx, plain, 'updated', id, previous)
  })
}

export function removeRecord(
  ctx: Context,
  plain: PlainRecord,
  reference: PlainReference,
  expected: ExpectedRevision,
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const before = await requireRecord(ctx, plain, reference, expected)
    const { id, revision } = before
    await plain.require?.(ctx, { id, before, after: null, previous: {} })
    await deleteRecord(ctx, plain, id, before)
    await record(ctx, {
      type: `${plain.noun}.deleted`,
      subject: { type: plain.noun, id },
      revision,
      data: JSON.stringify(before),
    })
    await plain.afterwards?.(ctx)
  })
}

/** The record, locked until the transaction ends. */
export async function requireRecord(
  ctx: Context,
  plain: PlainRecord,
  reference: PlainReference,
  expected: ExpectedRevision,
): Promise<Values & { id: string; revision: number }> {
  const found = await lockRecord(ctx, plain, reference)
  if (!found) throw notFound(plain.words.one, sentAs(reference))
  requireExpected(expected, found.revision)
  return found
}

async function recordWritten(
  ctx: Context,
  plain: PlainRecord,
  verb: 'created' | 'updated',
  id: string,
  previous?: Values,
): Promise<WireRecord> {
  const written = await readBack(ctx, plain, id)
  await record(ctx, {
    type: `${plain.noun}.${verb}`,
    subject: { type: plain.noun, id },
    revision: written.revision,
    data: written.json,
    ...(previous && { previous }),
  })
  await plain.afterwards?.(ctx)
  return written
}

async function readBack(ctx: Context, plain: PlainRecord, id: string): Promise<WireRecord> {
  const found = await findRecord(ctx, plain, { by: 'id', id })
  if (!found) throw new Error(`${plain.words.one} ${id} is missing within its own transaction`)
  return found
}
