import type { Context } from '../../context.ts'
import { forbidden } from '../../core/refusal.ts'
import { sql } from '../../db/sql.ts'

/**
 * Users, applications and settings are an admin's business. An application acting for itself has no role: an admin gave it its scopes, and
 * those decide.
 */
export async function requireAdmin(ctx: Context): Promise<void> {
  if (ctx.actor.type !== 'user') return
  const [user] = await ctx.run<{ role: string }>(sql`select role from users where org_id = ${ctx.org} and id = ${ctx.actor.id} and disabled_at is null`)
  if (user?.role !== 'admin') throw forbidden('admin_required', 'This needs the role admin in the organization; ask one of its admins.')
}
