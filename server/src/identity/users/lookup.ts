import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { readId } from '../../platform/core/values/ids.ts'
import { findIdByEmail } from './lookup-store.ts'
import type { User, UserSearch } from './model.ts'
import { listUsers } from './store.ts'

export type UsersPage = { users: User[]; offset: number; limit: number; total: number }

/** A page of users, as GET /users answers it. */
export async function searchUsers(ctx: Context, search: UserSearch): Promise<UsersPage> {
  return JSON.parse(await listUsers(ctx, search))
}

/** The id of the user with this id or e-mail address. */
export async function requireUserId(ctx: Context, named: string): Promise<string> {
  const id = readId(named) ?? (await findIdByEmail(ctx, named))
  if (!id) throw notFound('user', named)
  return id
}
