import type { Provider } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import type { Settings } from '../../settings.ts'
import { keepGrant } from '../grants.ts'
import { newIdWithin } from '../organization-ids.ts'
import { lifetimes } from './lifetimes.ts'

export type Allowed = { person: string; client: string; org: string; scope: string }
type Parts = { provider: Provider; database: Database; settings: Settings }

/** A person lets a client act for them in one of their organizations. */
export async function allow({ provider, database, settings }: Parts, { person, client, org, scope }: Allowed) {
  const id = newIdWithin(org)
  await keepGrant(database, id, { org_id: org, user_id: person, client_id: client }, lifetimes.refreshMost)
  const grant = new provider.Grant({ jti: id, accountId: person, clientId: client } as never)
  grant.addOIDCScope(scope)
  grant.addResourceScope(settings.audience, scope)
  await grant.save()
  return grant
}
