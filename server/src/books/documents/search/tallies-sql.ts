import { talliesOf } from '../../../platform/db/counts/tallies.ts'
import { named, sql } from '../../../platform/db/sql/sql.ts'
import { onceFor } from '../model/kind/kind.ts'

/** Documents are counted by their state, along when they were created and when they were last changed; those that were voided are not. */
export const countedRows = onceFor(({ noun, plural }) => ({
  table: sql`${named(plural)}`,
  kind: sql`'${named(noun)}'`,
  label: sql`case when voided_at is null then status_id end`,
  times: { created_at: sql`created_at`, updated_at: sql`updated_at` },
}))

/** The state and whether it was voided apart from each other: the indexes are by the state. */
export const tallies = onceFor((kind) =>
  talliesOf({ ...countedRows(kind), label: sql`status_id` }, kind.noun, sql`voided_at is null`),
)
