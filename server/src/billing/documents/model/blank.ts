import type { Context } from '../../../context.ts'
import { newId } from '../../../core/ids.ts'
import { type Kind, onceFor } from './kind.ts'
import type { Document } from './standard-fields.ts'

/** A new document before anything is set. */
export function blankDocument<D extends Document>(kind: Kind<D>, { org, actor }: Pick<Context, 'org' | 'actor'>, external_id: string | null): D {
  const now = new Date().toISOString()
  const own = { id: newId(), full_id: newId(), org_id: org, external_id, revision: 1, created_at: now, updated_at: now, created_by: actor.id }
  return { ...blanks(kind), ...own, [kind.date]: now } as unknown as D
}

const blanks = onceFor(({ fields }) => Object.fromEntries(Object.entries(fields).map(([name, { blank }]) => [name, blank])))
