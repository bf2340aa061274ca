import { type Context, transaction } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { listOrganizations, systemContext } from '../../platform/organizations/actions.ts'
import { keyIdIn, type Vault } from '../../platform/vault/vault.ts'
import { type KeptSecret, listKept, type Place, places, saveSealed } from './store.ts'

const lot = 200

/**
 * Encrypts the bank details, and the secrets of connections, of these organizations, or of all of them, with the current key, a lot in each transaction. May be stopped and run again.
 * Answers how many were encrypted anew.
 */
export async function rotateBankKeys(
  database: Database,
  vault: Vault,
  organizations?: readonly string[],
): Promise<{ encrypted: number; key: string | null }> {
  const [current = null] = vault.keyIds()
  let encrypted = 0
  await eachLot(database, organizations, async (ctx, place, rows) => {
    for (const row of rows.filter(({ sealed }) => keyIdIn(sealed) !== current)) {
      const owner = { org: ctx.org, id: row.owner, secret: place.secret }
      await saveSealed(ctx, place, row, vault.seal(owner, vault.open(owner, row.sealed)))
      encrypted += 1
    }
  })
  return { encrypted, key: current }
}

/** What of the secrets cannot be read with the keys that are here, in sentences. */
export async function verifyBankDetails(
  database: Database,
  vault: Vault,
  organizations?: readonly string[],
): Promise<string[]> {
  const faults: string[] = []
  await eachLot(database, organizations, async ({ org }, { table, secret }, rows) => {
    for (const { key, owner, sealed } of rows) {
      try {
        vault.open({ org, id: owner, secret }, sealed)
      } catch {
        faults.push(
          `The ${secret} in ${table} ${key} of the organization ${org} cannot be read with the keys of this server (key ${keyIdIn(sealed)}).`,
        )
      }
    }
  })
  return faults
}

type Work = (ctx: Context, place: Place, rows: KeptSecret[]) => Promise<void>

async function eachLot(database: Database, organizations: readonly string[] | undefined, work: Work): Promise<void> {
  for (const id of organizations ?? (await listOrganizations(database)).map(({ id }) => id))
    for (const place of places) {
      for (let after: string | undefined = ''; after !== undefined; )
        after = await transaction(systemContext(database, id), async (ctx) => {
          const rows = await listKept(ctx, place, after as string, lot)
          await work(ctx, place, rows)
          return rows.length < lot ? undefined : rows.at(-1)?.key
        })
    }
}
