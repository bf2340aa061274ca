import { minorUnits } from '../../../books/currencies/known.ts'
import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { announcements } from '../../../platform/core/announcements.ts'
import { conflict, invalid, notFound, quote } from '../../../platform/core/refusal.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { record } from '../../../platform/events/record.ts'
import { adapterOf } from '../adapters/online.ts'
import type { Connector, SyncedKind } from '../catalogue.ts'
import { lockExpected, requireConnector } from '../connections/actions.ts'
import type { KeptConnection } from '../connections/model.ts'
import { requireConnection } from '../connections/reading.ts'
import { type Gap, outgoingOf } from './queued/documents.ts'
import { insertWanted, listDocuments, listWanted, type RawDocument } from './queued/documents-store.ts'
import { mostDocuments, type SyncBody } from './queued/model.ts'
import { directionsOf, planPayment } from './queued/payments.ts'
import {
  documentsOf,
  hasPayingAccounts,
  insertPayments,
  listPayments,
  listPaymentsToSend,
  type RawPayment,
  theseDocuments,
  type WantedPayments,
} from './queued/payments-store.ts'
import { findSync, insertFailed, insertSync, saveEnd, saveHasMore } from './queued/store.ts'

/** A run was asked for in this process. */
export const syncAsked = announcements<[]>()

/** A check looks at so many documents of each sort. */
const mostChecked = 1000

/** Lists what a sync now would miss. */
export async function checkConnection(ctx: Context, id: string, { what, ids }: SyncBody): Promise<string> {
  const connection = await requireConnection(ctx, id)
  const connector = requireConnector(connection)
  const wanted = { ids: ids ?? null, start_on: connection.settings.start_on, limit: mostChecked }
  const decimals = await minorUnits(ctx)
  const gaps: (Gap & { document: string })[] = []
  const documents: string[] = []
  let document_count = 0
  let has_more = false
  for (const type of typesIn(wantedIn(connector, what))) {
    const found = await listWanted(ctx, id, type, wanted)
    has_more ||= found.length > mostChecked
    const raw = (await listDocuments(ctx, connection, type, found.slice(0, mostChecked))).filter(
      ({ counts, is_approved }) => counts && is_approved,
    )
    document_count += raw.length
    documents.push(...raw.map((one) => one.id))
    for (const one of raw)
      gaps.push(
        ...outgoingOf(connector, connection.settings, one, decimals).gaps.map((gap) => ({ ...gap, document: one.id })),
      )
  }
  if (wantedIn(connector, what).includes('payments')) {
    const payments = await checkedPayments(ctx, connection, ids ?? null, documents, decimals)
    document_count += payments.count
    has_more ||= payments.has_more
    gaps.push(...payments.gaps)
  }
  const missing = [...Map.groupBy(gaps, ({ kind, record_id, name }) => `${kind} ${record_id} ${name}`).values()]
    .map((same) => {
      const [{ document: _, ...gap }] = same as [Gap & { document: string }]
      return { ...gap, document_count: new Set(same.map(({ document }) => document)).size }
    })
    .sort((one, other) => other.document_count - one.document_count)
  return JSON.stringify({ ok: !missing.some(({ needed }) => needed), document_count, has_more, missing })
}

/** Begins a sync, which is worked off in the background. Answers the run. */
export function startSync(ctx: Context, connectionId: string, { what, ids }: SyncBody): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const connection = await lockExpected(ctx, connectionId, null)
    const connector = requireConnector(connection)
    requireUsable(connection)
    const asked = wantedIn(connector, what)
    if (ids && typesIn(asked).length === 0)
      throw invalid('ids', 'nothing_to_sync', '"ids" name bills and invoices, and "what" asks for neither.')
    const id = newId()
    await insertSync(ctx, {
      id,
      connection_id: connection.id,
      what: asked,
      retry_of: null,
      actor: ctx.actor,
      created_by: await actorId(ctx),
    })
    const wanted = {
      ids: ids?.map((one) => one.toLowerCase()) ?? null,
      start_on: connection.settings.start_on,
      limit: mostDocuments,
    }
    const payments = asked.includes('payments')
      ? await paymentsOf(ctx, connection, wanted.ids, documentsOf(ctx, id), mostDocuments)
      : null
    const of = { sync: id, connection: connection.id }
    let place = payments ? await insertPayments(ctx, of, payments, 'to take out', 0) : 0
    let documents = 0
    for (const type of typesIn(asked)) {
      const made = await insertWanted(ctx, id, connection.id, type, wanted, place)
      place += made
      documents += made
      if (made === mostDocuments) await saveHasMore(ctx, id)
    }
    if (ids && documents < new Set(ids).size) throw await unknownOf(ctx, connection, typesIn(asked), ids)
    if (payments && (await insertPayments(ctx, of, payments, 'to send', place)) === mostDocuments)
      await saveHasMore(ctx, id)
    return begin(ctx, connection.id, id)
  })
}

/** Tries what failed of a run again, and what it did not come to. */
export function retrySync(ctx: Context, connectionId: string, of: string): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const connection = await lockExpected(ctx, connectionId, null)
    const before = await findSync(ctx, connection.id, of)
    if (!before) throw notFound('sync', of)
    if (before.state === 'running')
      throw conflict('sync_is_running', 'This sync is still running. Wait until it has ended.')
    requireUsable(connection)
    const id = newId()
    const { what } = JSON.parse(before.json) as { what: SyncedKind[] }
    await insertSync(ctx, {
      id,
      connection_id: connection.id,
      what,
      retry_of: of,
      actor: ctx.actor,
      created_by: await actorId(ctx),
    })
    if ((await insertFailed(ctx, id, of)) === 0)
      throw conflict('nothing_failed', 'Nothing of this sync failed, so there is nothing to try again.')
    return begin(ctx, connection.id, id)
  })
}

/** Ends a run: what it did not come to stays as it is. */
export function cancelSync(ctx: Context, connectionId: string, id: string): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const connection = await lockExpected(ctx, connectionId, null)
    if (!(await findSync(ctx, connection.id, id))) throw notFound('sync', id)
    if (requireConnector(connection).transport === 'file')
      throw conflict('sync_is_running', 'A file is made in a moment: its sync cannot be cancelled.')
    const isEnded = await saveEnd(ctx, { id, connection_id: connection.id }, { state: 'cancelled' })
    if (!isEnded) throw conflict('sync_is_over', 'This sync has ended already.')
    return recordSync(ctx, connection.id, id, 'cancelled')
  })
}

/** Answers the run as it is now. */
export async function recordSync(ctx: Context, connection: string, id: string, verb: string): Promise<string> {
  const found = await findSync(ctx, connection, id)
  if (!found) throw new Error(`sync ${id} is missing within its own transaction`)
  await record(ctx, { type: `connector_sync.${verb}`, subject: { type: 'connector_sync', id }, data: found.json })
  return found.json
}

async function begin(ctx: Context, connection: string, id: string): Promise<string> {
  ctx.afterCommit(async () => syncAsked.announce())
  return recordSync(ctx, connection, id, 'created')
}

function requireUsable({ status }: KeptConnection): void {
  if (status === 'needs_sign_in' || status === 'disconnected')
    throw conflict('needs_sign_in', 'Nobody is signed in there. Have an admin connect it first.')
}

function wantedIn({ what: possible, name }: Connector, asked: readonly SyncedKind[] | undefined): SyncedKind[] {
  const wrong = asked?.find((one) => !possible.includes(one))
  if (wrong)
    throw invalid(
      'what',
      'nothing_to_sync',
      `${name} does not take ${quote(wrong)} across. It takes ${possible.join(', ')}.`,
      possible,
    )
  return possible.filter((one) => !asked || asked.includes(one))
}

function typesIn(what: readonly SyncedKind[]): RawDocument['type'][] {
  return [
    ...(what.includes('bills') ? (['bill'] as const) : []),
    ...(what.includes('invoices') ? (['invoice'] as const) : []),
  ]
}

/** Which payments a sync sends; null for what makes files. `ids` are of documents: what settles them goes with them. */
async function paymentsOf(
  ctx: Context,
  { id, connector_id, settings }: KeptConnection,
  ids: readonly string[] | null,
  documents: WantedPayments['documents'],
  limit: number,
): Promise<WantedPayments | null> {
  const adapter = adapterOf(connector_id)?.payments
  if (!adapter) return null
  return {
    isPerDocument: adapter.isPerDocument,
    directions: directionsOf(settings, await hasPayingAccounts(ctx, id)),
    documents,
    ids,
    limit,
  }
}

/** Payments that would be sent, and what they miss. Where no account is set for a direction nothing of it is sent, and that is only said. */
async function checkedPayments(
  ctx: Context,
  connection: KeptConnection,
  ids: readonly string[] | null,
  documents: readonly string[],
  decimals: ReadonlyMap<string, number>,
) {
  const adapter = adapterOf(connection.connector_id)?.payments
  const wanted = await paymentsOf(ctx, connection, ids, theseDocuments(documents), mostChecked)
  if (!adapter || !wanted) return { count: 0, has_more: false, gaps: [] }
  const found = await listPaymentsToSend(ctx, connection.id, { ...wanted, directions: ['out', 'in'] })
  const raws = await listPayments(ctx, connection.id, found.slice(0, mostChecked))
  const isSent = ({ direction }: RawPayment) => wanted.directions.includes(direction)
  const gaps = raws.flatMap((raw) =>
    planPayment({ adapter, settings: connection.settings, decimals }, raw).gaps.map((gap) => ({
      ...gap,
      needed: isSent(raw),
      document: raw.id,
    })),
  )
  return { count: raws.filter(isSent).length, has_more: found.length > mostChecked, gaps }
}

async function unknownOf(
  ctx: Context,
  connection: KeptConnection,
  types: readonly RawDocument['type'][],
  ids: readonly string[],
) {
  const there = new Set<string>()
  for (const type of types) for (const { id } of await listDocuments(ctx, connection, type, ids)) there.add(id)
  const index = ids.findIndex((id) => !there.has(id.toLowerCase()))
  return invalid(
    `ids[${index}]`,
    'unknown_record',
    `There is no ${types.join(' or ')} ${quote(ids[index])} in this organization.`,
  )
}
