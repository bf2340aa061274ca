import type { Context } from '../../context.ts'
import { forbidden } from '../../core/refusal.ts'
import { findRole } from './store.ts'

/**
 * Users, applications and settings are an admin's business. An application acting for itself has no role: an admin gave it its scopes, and
 * those decide.
 */
export async function requireAdmin(ctx: Context): Promise<void> {
  if (ctx.actor.type !== 'user') return
  if ((await findRole(ctx, ctx.actor.id)) !== 'admin')
    throw forbidden('admin_required', 'This needs the role admin in the organization; ask one of its admins.')
}
