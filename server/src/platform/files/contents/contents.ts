import type { Run } from '../../db/sql/rows.ts'
import type { Statement } from '../../db/sql/sql.ts'
import type { ContentKey } from '../storage/storage.ts'
import { listUsed, lockContents } from './contents-store.ts'

const atOnce = 500

/** Every content that a document has, in all organizations, as the caller's transaction sees them. */
export async function* contentsOf(run: Run): AsyncGenerator<ContentKey & { size: number }> {
  for (let after: ContentKey | null = null, more = true; more; ) {
    const batch: (ContentKey & { size: number })[] = await listUsed({ run }, after, atOnce)
    yield* batch
    after = batch.at(-1) ?? null
    more = batch.length === atOnce
  }
}

/** From here to the end of the connection no content is removed from the storage. */
export const holdContents: Statement = lockContents
