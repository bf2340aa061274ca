import { newId } from '../../../platform/core/values/ids.ts'
import type { Document } from './fields/standard-fields.ts'
import { type Kind, onceFor } from './kind/kind.ts'

/** Where a document is made, and by whom. */
export type Maker = { org: string; createdBy: string }

/** A new document before anything is set but what is given on creation alone, such as its external id. */
export function blankDocument<D extends Document>(kind: Kind<D>, { org, createdBy }: Maker, given: object): D {
  const now = new Date().toISOString()
  const own = {
    id: newId(),
    full_id: newId(),
    org_id: org,
    ...given,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: createdBy,
  }
  return { ...blanks(kind), ...own, [kind.date]: now } as unknown as D
}

const blanks = onceFor(({ fields }) =>
  Object.fromEntries(Object.entries(fields).map(([name, { blank }]) => [name, blank])),
)
