import type { Command } from 'commander'
import { keysWanted, listMissingKeys } from '../../../payables/upkeep/keys.ts'
import { rotateBankKeys } from '../../../payables/upkeep/rotating.ts'
import { StartError } from '../../../platform/core/start-error.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  command.option(
    '--new-key',
    'make another key first; only where the keys are in the data directory and not in BANK_DETAILS_KEYS',
  )
  withExample(withJson(command), 'lading rotate-bank-keys --new-key').action(
    (options: { json?: boolean; newKey?: boolean }) =>
      onDatabase(terminal, 'change', async (database) => {
        const settings = terminal.settings()
        const vault = openVault(settings)
        const missing = keysWanted(settings, await listMissingKeys(database, vault))
        if (missing !== '') throw new StartError(`${missing} Nothing was encrypted anew.`)
        if (options.newKey) vault.addKey()
        const { encrypted, key } = await rotateBankKeys(database, vault)
        const text =
          key === null
            ? 'There is no key, and nothing to encrypt.'
            : `${encrypted} secrets were encrypted anew; all are under the key ${key} now.`
        print(terminal, options, { encrypted, key }, `${text} Older keys are needed for backups from before.`)
      }),
  )
}
