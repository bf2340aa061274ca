import { contextFor, transaction } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { invalid } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { record } from '../../events/record.ts'

export type Organization = { id: string; name: string }

export async function createOrganization(database: Database, name: string): Promise<Organization> {
  if (name.trim() === '' || name.length > 200) throw invalid('name', 'bad_name', 'The name of an organization has 1 to 200 characters.')
  const organization = { id: newId(), name: name.trim() }
  await transaction(systemContext(database, organization.id), async (ctx) => {
    await ctx.run(sql`insert into organizations (org_id, name) values (${ctx.org}, ${organization.name})`)
    await record(ctx, { type: 'organization.created', subject: { type: 'organization', id: ctx.org }, data: JSON.stringify(organization) })
  })
  return organization
}

/** Lading itself at work in an organization: the command line tool, the demo, the background. */
export function systemContext(database: Database, org: string) {
  return contextFor(database, { org, actor: { type: 'system', id: 'lading' } })
}
