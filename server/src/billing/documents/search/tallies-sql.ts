import { named, sql } from '../../../db/sql.ts'
import { talliesOf } from '../../../db/tallies.ts'
import { onceFor } from '../model/kind.ts'

/** Documents are counted by their state, along when they were created and when they were last changed. */
export const countedRows = onceFor(({ noun, plural }) => ({
  table: named`${plural}`,
  kind: named`'${noun}'`,
  label: sql`status_id`,
  times: { created_at: sql`created_at`, updated_at: sql`updated_at` },
}))

export const tallies = onceFor((kind) => talliesOf(countedRows(kind), kind.noun))
