import type { Context } from '../../../platform/context.ts'
import type { Adapter, Client, OutgoingDocument } from '../adapters/adapter.ts'
import type { Connector } from '../catalogue.ts'
import type { KeptConnection } from '../connections/model.ts'
import { type DeliveryOutcome, deliver, type RemoteExchange, withdraw } from './delivering.ts'
import { hashOf, outgoingOf } from './queued/documents.ts'
import type { RawDocument } from './queued/documents-store.ts'
import { noteOnDocument } from './queued/noting.ts'
import { type Key, type KnownRecord, mayBeThere, saveSeen } from './queued/records-store.ts'
import { type Result, saveResults } from './queued/store.ts'

export type SyncRun = {
  sync: string
  connection: KeptConnection
  connector: Connector
  adapter: Adapter
  client: Client
  decimals: ReadonlyMap<string, number>
}

type One = { place: number; raw: RawDocument; known: KnownRecord | undefined }

/** Brings one document across, and saves what came of it. What it cannot decide it throws: that it must wait, sign in, or has no answer. */
export async function sendOne(ctx: Context, sending: SyncRun, { place, raw, known }: One): Promise<void> {
  const { connector, connection, decimals, sync } = sending
  const { document, gaps } = outgoingOf(connector, connection.settings, raw, decimals)
  const key: Key = { connection_id: connection.id, record_type: raw.type, record_id: raw.id }
  const save = async (ctx: Context, delivered: DeliveryOutcome) => {
    const revision = await note(ctx, raw, document, delivered)
    await saveResults(ctx, sync, [{ place, ...delivered }])
    return revision
  }
  const delivery = { key, known, remote: remoteOf(sending, document), save }
  const saveOnly = async (delivered: DeliveryOutcome) => void (await ctx.transaction((ctx) => save(ctx, delivered)))
  const skip = (why: Pick<Result, 'reason' | 'error'>) => saveOnly({ outcome: 'skipped', ...why })
  if (!raw.counts) return mayBeThere(known) ? withdraw(ctx, delivery) : skip(withoutCause(raw))
  if (!raw.is_approved) return skip({ reason: 'not_approved', error: 'It is not approved.' })
  const missing = gaps.filter(({ needed }) => needed)
  if (missing.length > 0) {
    const error = [...new Set(missing.map(({ message }) => message))].join(' ').slice(0, 2000)
    return saveOnly({ outcome: 'failed', reason: 'not_mapped', error })
  }
  const hash = hashOf(document)
  if (known?.state === 'synced' && known.content_hash === hash)
    return ctx.transaction(async (ctx) => {
      const revision = await save(ctx, { outcome: 'unchanged', remote_id: known.remote_id })
      await saveSeen(ctx, [{ ...key, revision }])
    })
  await deliver(ctx, delivery, { content: document, hash })
}

function remoteOf({ adapter, client }: SyncRun, document: OutgoingDocument): RemoteExchange {
  return {
    find: () => adapter.find(client, document),
    read: (remoteId) => adapter.read(client, document.type, remoteId),
    create: (requestId) => adapter.create(client, document, requestId),
    update: (known, requestId) => adapter.update(client, document, known, requestId),
    remove: (known, requestId) => adapter.remove(client, document.type, known, requestId),
  }
}

/** The document says itself what came of it, where that is something new. Answers the revision that is there now. */
async function note(
  ctx: Context,
  raw: RawDocument,
  { party }: OutgoingDocument,
  { outcome, error }: DeliveryOutcome,
): Promise<number> {
  if (outcome === 'failed') return noteOnDocument(ctx, raw, { qb_error_msg: error ?? null })
  if (outcome === 'created' || outcome === 'updated')
    return noteOnDocument(ctx, raw, {
      qb_external_id: party.remote_id,
      qb_error_msg: null,
      qb_exported_at: new Date().toISOString(),
    })
  return raw.revision
}

function withoutCause({ is_voided }: RawDocument): Pick<Result, 'reason' | 'error'> {
  return is_voided
    ? { reason: 'is_voided', error: 'It is voided, and was never there.' }
    : { reason: 'is_draft', error: 'It is a draft.' }
}
