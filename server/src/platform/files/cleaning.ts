import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { record } from '../events/record.ts'
import { systemContext } from '../organizations/actions.ts'
import { deleteContent, listUnheld, listUnused, lockUnheld, lockUnused } from './contents/contents-store.ts'
import type { Storage } from './storage/storage.ts'
import { deleteDocument } from './store.ts'

/** For how long a document that is attached to nothing is kept, and for how long a content that no document has yet. */
const unattachedSeconds = 24 * 3600
const contentSeconds = 3600

type Graces = { unattached?: number; content?: number }

/** Deletes the documents that nothing holds any more, and then the contents that no document has: also those that a crash has left behind. */
export async function deleteUnheld(
  database: Database,
  storage: Storage,
  signal?: AbortSignal,
  { unattached = unattachedSeconds, content = contentSeconds }: Graces = {},
): Promise<void> {
  for (const { org_id, id } of await listUnheld(database.pool, unattached)) {
    signal?.throwIfAborted()
    await deleteOne(database, org_id, id)
  }
  for (const { org, sha256 } of await listUnused(database.pool, content)) {
    signal?.throwIfAborted()
    await systemContext(database, org).transaction(async (ctx) => {
      if (!(await lockUnused(ctx, sha256))) return
      // Before the row: should the process end in between, the row stays, and it is done again.
      await storage.remove({ org, sha256 })
      await deleteContent(ctx, sha256)
    })
  }
}

/** Files of uploads that a crash has cut short, which no request will ever finish. */
export async function deleteOldUploads(folder: string, olderThanSeconds = 24 * 3600): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && found.mtimeMs < Date.now() - olderThanSeconds * 1000) await rm(join(folder, name), { force: true })
  }
}

function deleteOne(database: Database, org: string, id: string): Promise<void> {
  return systemContext(database, org).transaction(async (ctx) => {
    const found = await lockUnheld(ctx, id)
    if (!found) return
    await deleteDocument(ctx, id)
    await record(ctx, {
      type: 'document.deleted',
      subject: { type: 'document', id },
      revision: found.revision,
      data: found.json,
    })
  })
}
