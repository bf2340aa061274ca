import type { Context } from '../../../platform/context.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'

/** Records of another part of the program that say of a document that it was made from them. They are given to the routes, so books/ does not know them. */
export type OriginHooks = {
  /** What the descriptions of the routes say of it: sentences with a blank before them. */
  readonly notes: { ofVoiding: string; ofCorrecting: string }
  /** Locks what a document was made from, before the document itself is locked. */
  lock(ctx: Context, reference: Reference): Promise<LockedOrigin>
}

/** What a document was made from, locked. Called once the document is locked too. */
export type LockedOrigin = {
  /** The document stands for it no more: it is voided, or about to be deleted. */
  letGo(ctx: Context, document: string, why: string): Promise<void>
  /** Called after that, once the document is gone. */
  reconsider(ctx: Context): Promise<void>
  /** Another document stands in the place of this one. */
  follow(ctx: Context, document: string, copy: string): Promise<void>
}

/** Of documents that nothing else is made into. */
export const nobody: OriginHooks = {
  notes: { ofVoiding: '', ofCorrecting: '' },
  lock: async () => ({ letGo: async () => {}, reconsider: async () => {}, follow: async () => {} }),
}
