import type { Context } from '../../platform/context.ts'
import type { Rule } from './model.ts'
import { listAll } from './store.ts'

/** Every policy of the organization, for audits to choose from. */
export function listAllPolicies(ctx: Context): Promise<Rule[]> {
  return listAll(ctx)
}
