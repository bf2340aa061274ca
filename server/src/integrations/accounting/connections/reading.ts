import type { Context } from '../../../platform/context.ts'
import { notFound } from '../../../platform/core/refusal.ts'
import type { KeptConnection } from './model.ts'
import { findKept } from './store.ts'

/** The connection as it is now, not locked, with its secrets as they are kept. */
export async function requireConnection(ctx: Context, id: string): Promise<KeptConnection> {
  const found = await findKept(ctx, id)
  if (!found) throw notFound('connection', id)
  return found
}
