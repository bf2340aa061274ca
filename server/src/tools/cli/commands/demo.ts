import type { Command } from 'commander'
import { announce, makeDemo } from '../../demo/demo.ts'
import { onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  withExample(withJson(command), 'lading demo').action((options) =>
    onDatabase(terminal, 'make', async (database) => {
      const settings = terminal.settings()
      const demo = await makeDemo(database, settings)
      if (options.json) print(terminal, options, demo, '')
      else announce(demo, settings)
    }),
  )
}
