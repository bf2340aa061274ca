import type { Provider } from 'oidc-provider'
import { consoleClientId } from '../../platform/access/console-client.ts'
import { newIdWithin } from '../../platform/access/organization-ids.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecurityOccurrence } from '../../platform/security-log/record.ts'
import type { Settings } from '../../settings.ts'
import { findClient } from '../applications/clients.ts'
import { keepGrant } from '../people/grants.ts'
import { lifetimes } from '../people/lifetimes.ts'
import type { ProvenPerson } from '../people/proofs.ts'

/** `by` signed in, `user` is who they are in the organization. */
export type AllowedAccess = {
  by: ProvenPerson
  user: string
  client: string
  org: string
  scope: string
  /** They are a user of several organizations, so it is known only now which of them they sign in to. */
  chosen: boolean
}
type Parts = { provider: Provider; database: Database; settings: Settings }

/** A person lets a client act for them in one of their organizations; undefined where what they proved by signing in was voided meanwhile. */
export async function allow(
  { provider, database, settings }: Parts,
  { by, user, client, org, scope, chosen }: AllowedAccess,
) {
  const id = newIdWithin(org)
  const application =
    client === consoleClientId ? undefined : ((await findClient({ database, settings }, client))?.name ?? client)
  const happened: SecurityOccurrence[] = [
    ...(chosen ? [{ type: 'sign_in.succeeded', summary: 'Signed in.' } as const] : []),
    ...(application
      ? [{ type: 'grant.created', summary: `Allowed the application ${application} to act for them.` } as const]
      : []),
  ]
  if (
    !(await keepGrant(database, {
      id,
      org_id: org,
      user_id: user,
      client_id: client,
      seconds: lifetimes.refreshMost,
      by,
      happened,
    }))
  )
    return undefined
  const grant = new provider.Grant({ jti: id, accountId: by.person, clientId: client } as never)
  grant.addOIDCScope(scope)
  grant.addResourceScope(settings.audience, scope)
  await grant.save()
  return grant
}
