import { type Context, contextFor, transaction } from '../context.ts'
import { invalid } from '../core/refusal.ts'
import { newId } from '../core/values/ids.ts'
import type { Database } from '../db/database.ts'
import { record } from '../events/record.ts'
import * as store from './store.ts'

export type Organization = store.Organization
type Made = Pick<Organization, 'id' | 'name'>

export function createOrganization(database: Database, name: string): Promise<Made> {
  return transaction(systemContext(database, newId()), (ctx) => establish(ctx, name))
}

/** In a transaction that goes on with it: an organization and its first users and applications are there together or not at all. */
export async function establish(ctx: Context, name: string): Promise<Made> {
  if (name.trim() === '' || name.length > 200)
    throw invalid('name', 'bad_name', 'The name of an organization has 1 to 200 characters.')
  const organization = { id: ctx.org, name: name.trim() }
  await store.insertOrganization(ctx, organization.name)
  const made = await store.findRecord(ctx)
  await record(ctx, {
    type: 'organization.created',
    subject: { type: 'organization', id: ctx.org },
    revision: 1,
    data: made?.json ?? JSON.stringify(organization),
  })
  return organization
}

export function findOrganization({ pool }: Database, id: string): Promise<Organization | undefined> {
  return store.findOrganization(pool, id)
}

/** Lists all of them, the oldest first. */
export function listOrganizations({ pool }: Database): Promise<Organization[]> {
  return store.listOrganizations(pool)
}

/** Lading itself at work in an organization: the command line tool, the demo, the background. */
export function systemContext(database: Database, org: string) {
  return contextFor(database, { org, actor: { type: 'system', id: 'lading' } })
}
