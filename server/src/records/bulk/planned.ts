import type { Detail, Refusal } from '../../platform/core/refusal.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Locked } from '../model/object.ts'
import type { Named } from '../model/references.ts'
import type { Change, NewObject } from './store.ts'

/** What a row does: nothing, a refusal, or a change. */
export type Plan =
  | null
  | Refusal
  | { created: NewObject & { definition: Definition } }
  | { change: Change & { definition: Definition; previous: Record<string, unknown> } }
  | { deleted: { locked: Locked; definition: Definition } }

/** A reference by an external id that an earlier row gives to its object. */
export type EarlierReference = Named & { row: number }
export type Planned = {
  plan: Plan
  locked?: Locked | undefined
  ignored?: readonly Detail[]
  earlier?: readonly EarlierReference[]
}

export type LockedObjects = { byId: Map<string, Locked>; byExternalId: Map<string, Locked> }
