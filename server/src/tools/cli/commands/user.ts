import { type Command, Option } from 'commander'
import { createUser, disableUser, enableUser, inviteAgain } from '../../../identity/users/actions.ts'
import { requireUserId, searchUsers } from '../../../identity/users/lookup.ts'
import { NewUser, type User } from '../../../identity/users/model.ts'
import { type Role, roleNames } from '../../../platform/access/roles.ts'
import { checkerOf } from '../../../platform/core/schema/check.ts'
import { maximumLimit } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import {
  contextOf,
  type Json,
  onDatabase,
  print,
  requireUsage,
  table,
  wholeNumber,
  withExample,
  withJson,
  withOrg,
} from '../command.ts'
import type { Terminal } from '../terminal.ts'

type New = Json & { org?: string; name?: string; role: Role; partnerCarrier?: string; password?: string }
type Chosen = Json & { org?: string }
type Listed = Chosen & { search?: string; offset: number; limit: number }

const named = 'the e-mail address or the id of a user'

export function define(command: Command, terminal: Terminal): void {
  const create = command
    .command('create')
    .description('make a user of an organization')
    .argument('<email>', 'what they sign in with')
    .option('--name <name>', 'what people call them (required)')
    .addOption(new Option('--role <role>', 'what they may do').choices(roleNames).default('member'))
    .option('--partner-carrier <id>', 'the carrier of a user with the role partner')
    .option(
      '--password <password>',
      'a first password, with which they sign in once to choose their own; without it a link for the same is printed',
    )
  withExample(
    withJson(withOrg(create)),
    'lading user create sam@blueridge.example --name "Sam Ortega" --role admin',
  ).action((email: string, options: New, self: Command) => makeUser(terminal, self, email, options))

  const list = command
    .command('list')
    .description('list the users of an organization, newest first')
    .option('--search <text>', 'only those with this in their name or e-mail address')
    .option('--offset <number>', 'how many to skip', wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--limit <number>', `how many to show, at most ${maximumLimit}`, wholeNumber(0, maximumLimit), maximumLimit)
  withExample(withJson(withOrg(list)), 'lading user list --search ortega').action((options: Listed) =>
    listUsers(terminal, options),
  )

  const disable = command
    .command('disable')
    .description('shut a user out at once, and end all that applications may do for them')
    .argument('<user>', named)
  withExample(withJson(withOrg(disable)), 'lading user disable sam@blueridge.example').action(
    (user: string, options: Chosen) =>
      changeUser(terminal, user, options, 'disabled', (ctx, id) => disableUser(ctx, id, null)),
  )

  const enable = command.command('enable').description('let a disabled user in again').argument('<user>', named)
  withExample(withJson(withOrg(enable)), 'lading user enable sam@blueridge.example').action(
    (user: string, options: Chosen) =>
      changeUser(terminal, user, options, 'enabled', (ctx, id) => enableUser(ctx, id, null)),
  )

  const invite = command
    .command('invite')
    .description('make a new invitation for a user who has not joined yet; the old link is void')
    .argument('<user>', named)
  withExample(withJson(withOrg(invite)), 'lading user invite sam@blueridge.example').action(
    (user: string, options: Chosen) => inviteUser(terminal, user, options),
  )
}

function makeUser(
  terminal: Terminal,
  command: Command,
  email: string,
  { org, password, partnerCarrier, json, ...fields }: New,
): Promise<void> {
  const input = {
    email,
    ...fields,
    ...(partnerCarrier !== undefined && { partner_carrier_id: partnerCarrier }),
    ...(password !== undefined && { password }),
  }
  requireUsage(
    command,
    {
      email: '<email>',
      name: '--name',
      role: '--role',
      partner_carrier_id: '--partner-carrier',
      password: '--password',
    },
    () => checkerOf(NewUser)(input),
  )
  return onDatabase(terminal, 'change', async (database) => {
    const made = await createUser(
      await contextOf(database, org),
      input as typeof input & { name: string },
      terminal.settings(),
    )
    const invitation_url = linkOf(terminal, made.invitation)
    const note = invitation_url
      ? `They choose a password at this link, which is shown this once and good for 7 days: ${invitation_url}`
      : `They sign in with the first password at ${terminal.settings().authUrl}/sign-in within 7 days, and choose their own.`
    print(
      terminal,
      { json },
      { ...JSON.parse(made.json), invitation_url },
      `Invited the ${fields.role} ${email}: ${made.id}\n${note}`,
    )
  })
}

function listUsers(terminal: Terminal, { org, search, offset, limit, json }: Listed): Promise<void> {
  return onDatabase(terminal, 'read', async (database) => {
    const page = await searchUsers(await contextOf(database, org), {
      offset,
      limit,
      ...(search && { search_term: search }),
    })
    const rows = page.users.map((user) => [
      user.id,
      user.email,
      user.name,
      user.role,
      stateOf(user),
      user.last_login_at,
    ])
    const more =
      page.total > page.users.length ? `\n${page.users.length} of ${page.total}; --offset shows the others.` : ''
    print(
      terminal,
      { json },
      page,
      rows.length > 0
        ? table([['id', 'e-mail', 'name', 'role', 'state', 'last sign-in'], ...rows]) + more
        : 'There is no such user.',
    )
  })
}

function changeUser(
  terminal: Terminal,
  user: string,
  { org, json }: Chosen,
  done: string,
  change: (ctx: Awaited<ReturnType<typeof contextOf>>, id: string) => Promise<WireRecord>,
): Promise<void> {
  return onDatabase(terminal, 'change', async (database) => {
    const ctx = await contextOf(database, org)
    const changed: User = JSON.parse((await change(ctx, await requireUserId(ctx, user))).json)
    print(terminal, { json }, changed, `${changed.email} is ${done}.`)
  })
}

function inviteUser(terminal: Terminal, user: string, { org, json }: Chosen): Promise<void> {
  return onDatabase(terminal, 'change', async (database) => {
    const ctx = await contextOf(database, org)
    const invited = await inviteAgain(ctx, await requireUserId(ctx, user), terminal.settings())
    const invitation_url = linkOf(terminal, invited.invitation)
    print(
      terminal,
      { json },
      { ...JSON.parse(invited.json), invitation_url },
      `This link lets them join, for 7 days: ${invitation_url}`,
    )
  })
}

function linkOf(terminal: Terminal, invitation: string | null): string | null {
  return invitation && `${terminal.settings().authUrl}/invitation/${invitation}`
}

function stateOf({ disabled_at, joined_at }: User): string {
  return disabled_at ? 'disabled' : joined_at ? 'joined' : 'invited'
}
