import type { Detail, Refusal } from '../../platform/core/refusal.ts'
import type { Definition } from '../kinds/kind.ts'
import type { LockedObject } from '../model/object.ts'
import type { NamedReference } from '../model/references.ts'
import type { Change, NewObject } from './store.ts'

/** What a row does: nothing, a refusal, or a change. */
export type Plan =
  | null
  | Refusal
  | { created: NewObject & { definition: Definition } }
  | { change: Change & { definition: Definition; previous: Record<string, unknown> } }
  | { deleted: { locked: LockedObject; definition: Definition } }

/** A reference by an external id that an earlier row gives to its object. */
export type EarlierReference = NamedReference & { row: number }
export type PlannedRow = {
  plan: Plan
  locked?: LockedObject | undefined
  ignored?: readonly Detail[]
  earlier?: readonly EarlierReference[]
}

export type LockedObjects = { byId: Map<string, LockedObject>; byExternalId: Map<string, LockedObject> }
