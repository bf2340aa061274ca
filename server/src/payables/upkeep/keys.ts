import { StartError } from '../../platform/core/start-error.ts'
import type { Database } from '../../platform/db/database.ts'
import { readAllOrganizations } from '../../platform/db/schema/organizations.ts'
import { openVault, type Vault } from '../../platform/vault/vault.ts'
import type { Settings } from '../../settings.ts'
import { listKeyIds } from './store.ts'

/** The ids of the keys that secrets of any organization are encrypted with. */
export function listSealingKeys(database: Database): Promise<string[]> {
  return database.pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return listKeyIds(run)
  })
}

/** Those of them that are not here. */
export async function listMissingKeys(database: Database, vault: Vault): Promise<string[]> {
  const here = vault.keyIds()
  return (await listSealingKeys(database)).filter((id) => !here.includes(id))
}

/** What is to be done about keys that are not here; empty where all are. */
export function keysWanted({ bankDetailsKeys, dataDir, databaseUrl }: Settings, missing: readonly string[]): string {
  if (missing.length === 0) return ''
  const place =
    bankDetailsKeys.length > 0 || databaseUrl !== null
      ? 'Add them to BANK_DETAILS_KEYS, the same on every machine'
      : `Put the file bank-details.keys of the server that encrypted them into ${dataDir}, or set BANK_DETAILS_KEYS`
  return `Bank details or secrets of connections are encrypted with keys that are not here (${missing.join(', ')}). ${place}.`
}

/**
 * Without any key a new one would be made, and what is encrypted from then on could not be read by who has the old ones. Where some keys are here, what
 * is missing is answered; it may be lost for good, and all the rest goes on.
 */
export async function requireKeys(database: Database, settings: Settings): Promise<string> {
  const vault = openVault(settings)
  const wanted = keysWanted(settings, await listMissingKeys(database, vault))
  if (wanted === '' || vault.keyIds().length > 0) return wanted
  throw new StartError(
    `${wanted} Where they are lost for good, set BANK_DETAILS_KEYS to a new key and enter the details again.`,
  )
}
