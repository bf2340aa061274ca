import type { Command } from 'commander'
import { type Access, accessOf, endAccess, endAllAccess } from '../../../identity/account/access.ts'
import { type Json, onDatabase, print, table, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { helpOf, UsageError } from '../usage.ts'

export function define(command: Command, terminal: Terminal): void {
  const list = command
    .command('list')
    .description('list where a person is signed in, and the applications that may act for them')
    .argument('<email>', 'what they sign in with')
  withExample(withJson(list), 'lading session list sam@blueridge.example').action((email: string, options: Json) =>
    listAccess(terminal, email, options),
  )

  const revoke = command
    .command('revoke')
    .description('sign a person out of a browser, or take back what they allowed an application')
    .argument('<email>', 'what they sign in with')
    .argument('[id...]', 'of sessions and applications, as lading session list shows them')
    .option('--all', 'everything: they must sign in again everywhere, and allow applications again')
    // An id may begin with a dash. Taken for an option, it could not be revoked; as an id that there is not, a wrong option is refused as well.
    .allowUnknownOption()
  withExample(withJson(revoke), 'lading session revoke sam@blueridge.example --all').action(
    (email: string, ids: string[], options: Json & { all?: boolean }, self: Command) => {
      if (ids.length > 0 === Boolean(options.all))
        throw new UsageError('Name the ids to revoke, or say --all for everything.', helpOf(self))
      return revokeAccess(terminal, email, ids, options)
    },
  )
}

function listAccess(terminal: Terminal, email: string, { json }: Json): Promise<void> {
  return onDatabase(terminal, 'read', async (database) => {
    const access = await accessOf(database, email)
    print(terminal, { json }, access, textOf(access))
  })
}

function revokeAccess(
  terminal: Terminal,
  email: string,
  ids: readonly string[],
  { json, all }: Json & { all?: boolean },
): Promise<void> {
  return onDatabase(terminal, 'change', async (database) => {
    await (all ? endAllAccess(database, email) : endAccess(database, email, ids))
    const text = all
      ? `${email} is signed out everywhere, and no application may act for them.`
      : `Revoked ${ids.join(', ')}.`
    print(terminal, { json }, { email, revoked: all ? 'all' : ids }, text)
  })
}

function textOf({ email, sessions, applications }: Access): string {
  if (sessions.length + applications.length === 0)
    return `${email} is signed in nowhere and has allowed no application.`
  return table([
    ['id', 'what', 'since', 'where'],
    ...sessions.map(({ id, user_agent, address, created_at }) => [
      id,
      'browser',
      created_at.toISOString(),
      [address, user_agent].filter(Boolean).join(' ') || null,
    ]),
    ...applications.map(({ id, application, organization, created_at }) => [
      id,
      'application',
      created_at.toISOString(),
      `${application} in ${organization}`,
    ]),
  ])
}
