import { type Context, transaction } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { conflict, invalid, quote } from '../../core/refusal.ts'
import { violated } from '../../db/constraints.ts'
import { sql } from '../../db/sql.ts'
import { record } from '../../events/record.ts'
import { hashPassword } from '../passwords.ts'

export const roles = ['admin', 'member'] as const
export type Role = (typeof roles)[number]

export type NewUser = { email: string; name: string; role: Role; password: string }
export type User = { id: string; email: string; name: string; role: Role }

const shortestPassword = 10

/** A person who has an account already joins the organization with it, and keeps their password. */
export async function createUser(ctx: Context, { email, name, role, password }: NewUser): Promise<User> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw invalid('email', 'bad_email', `${quote(email)} is not an e-mail address.`)
  if (name.trim() === '' || name.length > 200) throw invalid('name', 'bad_name', 'The name of a user has 1 to 200 characters.')
  if (!roles.includes(role)) throw invalid('role', 'unknown_value', `There is no role ${quote(role)}; allowed: ${roles.join(', ')}.`, roles)
  if (password.length < shortestPassword || password.length > 1024)
    throw invalid('password', 'bad_password', `A password has at least ${shortestPassword} characters.`)
  const password_hash = await hashPassword(password)
  return transaction(ctx, async (ctx) => {
    await ctx.run(sql`insert into people (id, email, password_hash) values (${newId()}, ${email}, ${password_hash}) on conflict (lower(email)) do nothing`)
    const [person] = await ctx.run<{ id: string }>(sql`select id from people where lower(email) = lower(${email})`)
    const user = { id: person?.id as string, email, name, role }
    await ctx.run(sql`insert into users (org_id, id, name, role) values (${ctx.org}, ${user.id}, ${name}, ${role})`).catch((error) => {
      throw violated(error) === 'users_pkey' ? conflict('user_exists', `${email} is a user of this organization already.`) : error
    })
    await record(ctx, { type: 'user.created', subject: { type: 'user', id: user.id }, data: JSON.stringify(user) })
    return user
  })
}
