import type { Context } from '../../platform/context.ts'
import type { Finding } from './finding.ts'
import { findingsOf } from './findings.ts'
import { findLoad } from './store.ts'

/** What cannot work in the plan of a manifest as it is now. */
export async function readFindings(ctx: Context, manifest: string): Promise<Finding[]> {
  const found = await findLoad(ctx, manifest)
  return found ? findingsOf(found.load, found.status) : []
}
