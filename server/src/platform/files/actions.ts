import { actorId } from '../access/acting/acting.ts'
import { requireScopesOf } from '../access/scope-refusals.ts'
import type { Scope } from '../access/scopes.ts'
import { type Context, transaction } from '../context.ts'
import { conflict, invalid, notFound, quote } from '../core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../core/schema/revisions.ts'
import { newId } from '../core/values/ids.ts'
import { record } from '../events/record.ts'
import { linksOf } from './attaching.ts'
import { holdContent } from './contents/contents-store.ts'
import { nameFor, plainName } from './contents/file-names.ts'
import { extensionOf, extensionsOf } from './contents/media-types.ts'
import type { Upload } from './contents/receive.ts'
import { takeRoom } from './contents/room.ts'
import type { Attachment, Document, DocumentEdit, DocumentType } from './model.ts'
import { scopeOfUnattached } from './record-types.ts'
import type { Storage } from './storage/storage.ts'
import {
  deleteDocument,
  deleteLinks,
  type FoundDocument,
  findDocument,
  insertDocument,
  insertLinks,
  isNamedByPayee,
  lockDocument,
  saveDocument,
} from './store.ts'

/**
 * Has the content in the storage before any document does. Its row is committed first: whatever a crash leaves in the storage after that is found by
 * its row, and removed.
 */
export async function keepContent(ctx: Context, storage: Storage, { sha256, size, path }: Upload): Promise<void> {
  await transaction(ctx, (ctx) => hold(ctx, storage, sha256, size))
  await storage.put({ org: ctx.org, sha256 }, path, size)
}

/** What the storage keeps twice is there once. */
async function hold(
  ctx: Context,
  storage: Pick<Storage, 'limits'> | null,
  sha256: string,
  size: number,
): Promise<void> {
  const isNew = await holdContent(ctx, sha256, size)
  if (isNew && storage) await takeRoom(ctx, storage.limits, 'organization', ctx.org, { files: 0, bytes: size })
}

type Input = { document_type: DocumentType; attached_to: readonly Attachment[] }

/** `storage` is null where the document is only tried. */
export function createDocument(
  ctx: Context,
  storage: Storage | null,
  upload: Upload,
  input: Input,
): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const links = await linksOf(ctx, input.attached_to)
    requireScopes(ctx, scopesOf(links))
    await hold(ctx, storage, upload.sha256, upload.size)
    // Between keepContent and here the background work may have removed it, because no document had it. From here on it cannot.
    await storage?.put({ org: ctx.org, sha256: upload.sha256 }, upload.path, upload.size)
    const id = newId()
    await insertDocument(ctx, {
      ...{ id, file_name: upload.fileName, media_type: upload.mediaType, size: upload.size, sha256: upload.sha256 },
      ...{ document_type: input.document_type, was_attached: links.length > 0, created_by: await actorId(ctx) },
    })
    // After the file is in the storage: others of the organization wait for this count until the transaction ends.
    if (storage) await takeRoom(ctx, storage.limits, 'organization', ctx.org, { files: 1, bytes: 0 })
    await insertLinks(ctx, id, links)
    const made = await readBack(ctx, id)
    await record(ctx, {
      type: 'document.created',
      subject: { type: 'document', id },
      revision: made.revision,
      data: made.json,
    })
    return { id, revision: made.revision, json: made.json }
  })
}

/** What it is attached to is replaced as a whole. The content never changes: another one is another document. */
export function updateDocument(
  ctx: Context,
  id: string,
  input: DocumentEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { current } = await lock(ctx, id, expected)
    const next = {
      ...current,
      ...input,
      ...(input.file_name !== undefined && { file_name: newName(input.file_name, current) }),
    }
    const links = input.attached_to && (await linksOf(ctx, input.attached_to))
    if (links) requireScopes(ctx, scopesOf(links))
    if (links?.length === 0 && current.attached_to.length > 0)
      throw conflict(
        'last_attachment',
        'It is attached to nothing else, so it would be deleted. Attach it to another record, or delete it.',
      )
    const kept = new Set(links?.map(({ record_id }) => record_id))
    const before = new Set(current.attached_to.map((one) => one.id))
    const added = links?.filter(({ record_id }) => !before.has(record_id)) ?? []
    const removed = links ? current.attached_to.filter((one) => !kept.has(one.id)).map((one) => one.id) : []
    const changed = [
      ...(['file_name', 'document_type'] as const).filter((name) => next[name] !== current[name]),
      ...(added.length + removed.length > 0 ? (['attached_to'] as const) : []),
    ]
    if (changed.length === 0) return readBack(ctx, id)
    await saveDocument(ctx, id, next)
    await deleteLinks(ctx, id, removed)
    await insertLinks(ctx, id, added)
    const updated = await readBack(ctx, id)
    const previous = Object.fromEntries(changed.map((name) => [name, current[name]]))
    await record(ctx, {
      type: 'document.updated',
      subject: { type: 'document', id },
      revision: updated.revision,
      data: updated.json,
      previous,
    })
    return updated
  })
}

/** Its content is removed by the background work, unless another document has it too. */
export function removeDocument(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { current, json } = await lock(ctx, id, expected)
    if (await isNamedByPayee(ctx, id))
      throw conflict('in_use', 'It is the notice of assignment of a payee. Name another document there first.')
    await deleteDocument(ctx, id)
    await record(ctx, {
      type: 'document.deleted',
      subject: { type: 'document', id },
      revision: current.revision,
      data: json,
    })
  })
}

/** The document, for a caller whose scopes allow all that it is attached to. */
export async function requireDocument(ctx: Context, id: string): Promise<FoundDocument> {
  const found = await findDocument(ctx, id)
  if (!found) throw notFound('document', id)
  requireScopes(ctx, found.scopes)
  return found
}

/** Refuses to name a document in this field that is not there, or that the caller may not see. Until the transaction ends nobody deletes it. */
export async function requireNamed(ctx: Context, field: string, id: string): Promise<void> {
  if (!(await lockDocument(ctx, id)))
    throw invalid(field, 'unknown_document', `There is no document ${quote(id)} in this organization.`)
  await requireDocument(ctx, id)
}

function requireScopes(ctx: Context, needed: readonly string[]): void {
  requireScopesOf(ctx, (needed.length > 0 ? needed : [scopeOfUnattached]) as Scope[])
}

function scopesOf(links: readonly { scope: string }[]): string[] {
  return [...new Set(links.map(({ scope }) => scope))]
}

async function lock(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
): Promise<{ current: Document; json: string }> {
  const current = await lockDocument(ctx, id)
  if (!current) throw notFound('document', id)
  const { json } = await requireDocument(ctx, id)
  requireExpected(expected, current.revision)
  return { current, json }
}

async function readBack(ctx: Context, id: string): Promise<FoundDocument> {
  const found = await findDocument(ctx, id)
  if (!found) throw new Error(`document ${id} is missing within its own transaction`)
  return found
}

/** Another end would have whoever opens the file take it for something else. */
function newName(sent: string, { media_type }: Document): string {
  const plain = plainName(sent)
  const extension = extensionOf(plain)
  if (plain === '' || (extension !== undefined && !extensionsOf(media_type).includes(extension)))
    throw invalid(
      'file_name',
      'bad_name',
      `"file_name" must end in one of ${extensionsOf(media_type).join(', ')}, as files of ${media_type} do, not ${quote(sent)}.`,
    )
  return nameFor(plain, media_type)
}
