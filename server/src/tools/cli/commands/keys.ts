import type { Command } from 'commander'
import { rotateKeys } from '../../../platform/access/tokens/keyring.ts'
import { onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  const rotate = command
    .command('rotate')
    .description('begin to sign with a new key; tokens signed with the old one stay good until they expire')
  withExample(withJson(rotate), 'lading keys rotate').action((options) =>
    onDatabase(terminal, 'change', async ({ pool }) => {
      const kid = await rotateKeys(pool)
      print(terminal, options, { kid }, `The key ${kid} is published, and signs in half a minute.`)
    }),
  )
}
