import { type Command, Option } from 'commander'
import {
  createApplication,
  disableApplication,
  enableApplication,
  removeApplication,
  rotateSecret,
} from '../../../identity/applications/actions.ts'
import { requireApplicationId, searchApplications } from '../../../identity/applications/lookup.ts'
import {
  type GrantType,
  grantTypes,
  NewApplication,
  type OAuthApplication,
  validate,
  withDefaults,
} from '../../../identity/applications/model.ts'
import { type Scope, scopeNames } from '../../../platform/access/scopes.ts'
import { checkerOf } from '../../../platform/core/schema/check.ts'
import { maximumLimit } from '../../../platform/core/schema/pages.ts'
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

type Chosen = Json & { org?: string }
type New = Chosen & { type: 'confidential' | 'public'; redirectUri: string[]; scope: Scope[]; grant: GrantType[] }
type Listed = Chosen & { offset: number; limit: number }

const named = 'the client id or the id of an application'
const month = 30 * 86_400

export function define(command: Command, terminal: Terminal): void {
  const create = command
    .command('create')
    .description('make an OAuth application of an organization')
    .argument('<name>', 'such as "Warehouse sync"')
    .addOption(
      new Option('--type <type>', 'whether it can keep a secret')
        .choices(['confidential', 'public'])
        .default('confidential'),
    )
    .option('--redirect-uri <uri...>', 'where people return to after they signed in', [])
    .addOption(
      new Option('--scope <scope...>', 'what it may ask for; everything unless said')
        .choices(scopeNames)
        .default(scopeNames, 'all'),
    )
    .addOption(
      new Option('--grant <grant...>', 'the flows it may use')
        .choices(grantTypes)
        .default(['authorization_code', 'refresh_token']),
    )
  withExample(
    withJson(withOrg(create)),
    'lading application create "Warehouse sync" --grant client_credentials --scope bills',
  ).action((name: string, options: New, self: Command) => makeApplication(terminal, self, name, options))

  const list = command
    .command('list')
    .description('list the OAuth applications of an organization, newest first')
    .option('--offset <number>', 'how many to skip', wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--limit <number>', `how many to show, at most ${maximumLimit}`, wholeNumber(0, maximumLimit), maximumLimit)
  withExample(withJson(withOrg(list)), 'lading application list').action((options: Listed) =>
    listApplications(terminal, options),
  )

  const rotate = command
    .command('rotate-secret')
    .description('make a new secret, shown this once')
    .argument('<application>', named)
    .option(
      '--overlap <seconds>',
      'for how long the old secret stays good; 0 ends it at once',
      wholeNumber(0, month),
      86_400,
    )
  withExample(withJson(withOrg(rotate)), 'lading application rotate-secret AaHdRN9SdeWjHnwoDlusJg --overlap 0').action(
    (application: string, options: Chosen & { overlap: number }) => rotateSecretOf(terminal, application, options),
  )

  const disable = command
    .command('disable')
    .description('stop an application until it is enabled again; its access tokens are refused from this moment on')
    .argument('<application>', named)
  withExample(withJson(withOrg(disable)), 'lading application disable AaHdRN9SdeWjHnwoDlusJg').action(
    (application: string, options: Chosen) => changeApplication(terminal, application, options, disableApplication),
  )

  const enable = command
    .command('enable')
    .description('let a disabled application get tokens again')
    .argument('<application>', named)
  withExample(withJson(withOrg(enable)), 'lading application enable AaHdRN9SdeWjHnwoDlusJg').action(
    (application: string, options: Chosen) => changeApplication(terminal, application, options, enableApplication),
  )

  const remove = command
    .command('delete')
    .description('delete an application; no token it got is taken any more')
    .argument('<application>', named)
  withExample(withJson(withOrg(remove)), 'lading application delete AaHdRN9SdeWjHnwoDlusJg').action(
    (application: string, options: Chosen) => deleteApplication(terminal, application, options),
  )
}

function makeApplication(
  terminal: Terminal,
  command: Command,
  name: string,
  { org, json, type, redirectUri, scope, grant }: New,
): Promise<void> {
  const input = { name, type, redirect_uris: redirectUri, scopes: scope, grant_types: grant }
  requireUsage(
    command,
    { name: '<name>', redirect_uris: '--redirect-uri', scopes: '--scope', grant_types: '--grant' },
    () => {
      checkerOf(NewApplication)(input)
      validate(withDefaults(input))
    },
  )
  return onDatabase(terminal, 'change', async (database) => {
    const { client_id, client_secret, ...made } = await createApplication(await contextOf(database, org), input)
    const text = `Made the application ${name}\nClient id: ${client_id}${client_secret ? `\nClient secret, shown this once: ${client_secret}` : ''}`
    print(terminal, { json }, { ...JSON.parse(made.json), client_secret }, text)
  })
}

function listApplications(terminal: Terminal, { org, offset, limit, json }: Listed): Promise<void> {
  return onDatabase(terminal, 'read', async (database) => {
    const page = await searchApplications(await contextOf(database, org), { offset, limit })
    const rows = page.oauth_applications.map(({ client_id, name, type, grant_types, disabled_at, last_used_at }) => [
      client_id,
      name,
      type,
      grant_types.join(' '),
      disabled_at ? 'disabled' : 'enabled',
      last_used_at,
    ])
    const more = page.total > rows.length ? `\n${rows.length} of ${page.total}; --offset shows the others.` : ''
    print(
      terminal,
      { json },
      page,
      rows.length > 0
        ? table([['client id', 'name', 'type', 'flows', 'state', 'last used'], ...rows]) + more
        : 'There is no application.',
    )
  })
}

function rotateSecretOf(
  terminal: Terminal,
  application: string,
  { org, json, overlap }: Chosen & { overlap: number },
): Promise<void> {
  return onDatabase(terminal, 'change', async (database) => {
    const ctx = await contextOf(database, org)
    const { client_id, client_secret, ...rotated } = await rotateSecret(
      ctx,
      await requireApplicationId(ctx, application),
      overlap,
    )
    const text = `Client id: ${client_id}\nNew client secret, shown this once: ${client_secret}\n${overlap === 0 ? 'The old one is void.' : `The old one stays good for ${overlap} seconds.`}`
    print(terminal, { json }, { ...JSON.parse(rotated.json), client_secret }, text)
  })
}

function changeApplication(
  terminal: Terminal,
  application: string,
  { org, json }: Chosen,
  change: typeof disableApplication,
): Promise<void> {
  return onDatabase(terminal, 'change', async (database) => {
    const ctx = await contextOf(database, org)
    const changed: OAuthApplication = JSON.parse(
      (await change(ctx, await requireApplicationId(ctx, application), null)).json,
    )
    print(
      terminal,
      { json },
      changed,
      `The application ${application} is ${changed.disabled_at ? 'disabled' : 'enabled'}.`,
    )
  })
}

function deleteApplication(terminal: Terminal, application: string, { org, json }: Chosen): Promise<void> {
  return onDatabase(terminal, 'change', async (database) => {
    const ctx = await contextOf(database, org)
    const id = await requireApplicationId(ctx, application)
    await removeApplication(ctx, id, null)
    print(
      terminal,
      { json },
      { id, deleted: true },
      `The application ${application} is deleted, and every token it got is dead.`,
    )
  })
}
