import { type Context, contextFor, transaction } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { invalid } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { record } from '../../events/record.ts'

export type Organization = { id: string; name: string }

export function createOrganization(database: Database, name: string): Promise<Organization> {
  return transaction(systemContext(database, newId()), (ctx) => establish(ctx, name))
}

/** In a transaction that goes on with it: an organization and its first users and applications are there together or not at all. */
export async function establish(ctx: Context, name: string): Promise<Organization> {
  if (name.trim() === '' || name.length > 200) throw invalid('name', 'bad_name', 'The name of an organization has 1 to 200 characters.')
  const organization = { id: ctx.org, name: name.trim() }
  await ctx.run(sql`insert into organizations (org_id, name) values (${ctx.org}, ${organization.name})`)
  await record(ctx, { type: 'organization.created', subject: { type: 'organization', id: ctx.org }, data: JSON.stringify(organization) })
  return organization
}

/** Lading itself at work in an organization: the command line tool, the demo, the background. */
export function systemContext(database: Database, org: string) {
  return contextFor(database, { org, actor: { type: 'system', id: 'lading' } })
}
