import type { Context } from '../context.ts'
import { type Detail, invalid, invalidAll, quote } from '../core/refusal.ts'
import { isId, parseReference } from '../core/values/ids.ts'
import { resolve } from '../http/input/references.ts'
import { kindOfType } from '../references/kinds.ts'
import { references } from '../references/references.ts'
import type { Attachment } from './model.ts'
import { isNameOf, recordTypes, scopeOfObject } from './record-types.ts'
import { holdObjects, holdRecords, type Link, storedType } from './store.ts'

/** Links to these records, all of which are there until the transaction ends. */
export async function linksOf(ctx: Context, attachments: readonly Attachment[]): Promise<Link[]> {
  const wanted = attachments.map(({ type, id }) => ({ type, id: id.toLowerCase() }))
  const byType = Map.groupBy(wanted, ({ type }) => storedType(type))
  const held = new Map<string, Link>()
  // In one order, so that two who attach to the same records do not wait for each other.
  for (const type of [...byType.keys()].sort())
    for (const link of await hold(ctx, type, byType.get(type) as Attachment[])) held.set(link.record_id, link)
  const missing = wanted.flatMap(({ type, id }, index): Detail[] => {
    if (held.get(id)?.record_type === storedType(type)) return []
    return [
      {
        field: `attached_to.${index}`,
        code: 'unknown_record',
        message: `There is no ${type} ${quote(id)} in this organization to attach it to.`,
      },
    ]
  })
  if (missing.length > 0) throw invalidAll(missing)
  return [...held.values()]
}

async function hold(ctx: Context, type: string, wanted: readonly Attachment[]): Promise<Link[]> {
  const ids = [...new Set(wanted.map(({ id }) => id))].sort()
  const known = recordTypes[type]
  if (known) {
    const rows = await holdRecords(ctx, known.table, ids, known.byDirection === true)
    return rows.map(({ id, direction }) => ({
      record_type: type,
      record_id: id,
      scope: direction === 'in' ? 'invoices' : known.scope,
    }))
  }
  const rows = await holdObjects(ctx, ids)
  const isAsked = (id: string, objectKey: string) =>
    wanted.some((one) => one.id === id && isNameOf(objectKey, one.type))
  return rows
    .filter(({ id, object_key }) => isAsked(id, object_key))
    .map(({ id, object_key }) => ({ record_type: type, record_id: id, scope: scopeOfObject(object_key) }))
}

/** Puts ids in the place of the other names of records, in what was sent and is not checked yet. What names nothing stays as it is. */
export async function nameAttached(ctx: Context, sent: unknown): Promise<void> {
  if (!Array.isArray(sent)) return
  const places = sent.flatMap((holder) => {
    const { type, id } = (holder ?? {}) as { type?: unknown; id?: unknown }
    if (typeof type !== 'string' || typeof id !== 'string' || isId(id)) return []
    return [{ holder, key: 'id', kind: kindOfType(type), text: id }]
  })
  if (places.length > 0) await resolve(ctx, places, references)
}

/** The records that parameters name, each by its id. */
export async function attachedIn(ctx: Context, names: readonly string[]): Promise<Attachment[]> {
  const attachments = attachmentsIn(names)
  await nameAttached(ctx, attachments)
  const unknown = attachments.flatMap(({ type, id }, index): Detail[] => {
    if (isId(id)) return []
    const message = `There is no ${type} ${quote(id)} in this organization.`
    return [{ field: `attached_to.${index}`, code: 'unknown_reference', message }]
  })
  if (unknown.length > 0) throw invalidAll(unknown)
  return attachments
}

/** Records as parameters and forms name them: `bill:01932b5e-…`, `bill:ext:…` or `bill:BILL-000123`. */
export function attachmentsIn(names: readonly string[]): Attachment[] {
  return names.map((name, index) => {
    const [, type, text = ''] = /^([a-z][a-z0-9_]*):(.+)$/.exec(name.trim()) ?? []
    if (type && parseReference(text, 'any')) return { type, id: text }
    throw invalid(
      `attached_to.${index}`,
      'bad_reference',
      `"attached_to" must name records as type:id, such as bill:01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15 or bill:BILL-000123, not ${quote(name)}.`,
    )
  })
}
