import type { TestContext } from 'node:test'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { openKeyring } from '../../src/platform/access/tokens/keyring.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import type { Address } from '../../src/platform/db/postgres/embedded.ts'
import { createOrganization } from '../../src/platform/organizations/actions.ts'

/** An organization under load: its own records, by which an answer that shows them to another one is recognized. */
export type Organization = {
  index: number
  id: string
  token: string
  partner: string
  /** Bills whose lines are the lists that clients append to. */
  lists: string[]
  /** Saved bills that are on no statement yet. */
  saved: string[]
}

/** Longer than any jump of the clock in these scenarios. */
const tokenSeconds = 30 * 86_400

/** New ones, on the database itself; their tokens are signed with the service's own key. */
export async function newOrganizations(
  t: TestContext,
  target: Address | string,
  base: string,
  howMany: number,
): Promise<Organization[]> {
  const database = openDatabase(connect(target, { max: 2 }))
  t.after(() => database.close())
  const keyring = await openKeyring(database.pool)
  const made: Organization[] = []
  for (let index = 0; index < howMany; index++) {
    const { id } = await createOrganization(database, `Under load ${index}`)
    const grant = { sub: newId(), client_id: `load-${index}`, org_id: id, scopes: scopeNames, role: 'member' as const }
    const token = signToken(keyring, { issuer: base, audience: `${base}/` }, grant, tokenSeconds)
    made.push({ index, id, token, partner: newId(), lists: [], saved: [] })
  }
  return made
}
