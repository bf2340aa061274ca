import { Command, CommanderError, Option } from 'commander'
import { createApplication } from '../auth/applications/actions.ts'
import { type GrantType, grantTypes } from '../auth/applications/model.ts'
import { rotateKeys } from '../auth/keyring.ts'
import { createOrganization, findOrganization, listOrganizations, systemContext } from '../auth/organizations/actions.ts'
import { type Scope, scopeNames } from '../auth/scopes.ts'
import { createUser } from '../auth/users/actions.ts'
import { type Role, roles } from '../auth/users/model.ts'
import type { Context } from '../context.ts'
import { isId } from '../core/ids.ts'
import { invalid, notFound, Refusal } from '../core/refusal.ts'
import { StartError } from '../core/start-error.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { announce, makeDemo } from '../demo/demo.ts'
import { reindexObjects } from '../objects/upkeep/reindexing.ts'
import { readSettings } from '../settings.ts'
import { onDatabase, print, withJson } from './command.ts'
import type { Incoming } from './import.ts'
import { addUpkeep } from './upkeep.ts'

/** Exit codes: 0 done, 1 refused or failed, 2 the command line itself is wrong. */
export async function main(args: string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof StartError || error instanceof Refusal) process.stderr.write(`lading: ${error.message}\n`)
    else process.stderr.write(`lading: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
    return 1
  }
}

function program(): Command {
  const lading = new Command('lading')
    .description('Lading, an open transport-management platform. Settings are environment variables: see docs/settings.md.')
    .version(readSettings({}).version)
    .exitOverride()
    .showHelpAfterError('(lading --help shows what there is)')

  lading
    .command('start')
    .description('start the server, on the embedded PostgreSQL unless DATABASE_URL is set')
    // Loaded here and not above: the other commands need none of the server, and answer in half the time without it.
    .action(async () => (await import('../start.ts')).start(readSettings()))

  withJson(lading.command('migrate').description('bring the schema of the database up to date')).action((options) =>
    onDatabase(async (database) => {
      const applied = await migrate(database.pool)
      await reindexObjects(database)
      print(options, { applied }, applied.length === 0 ? 'The schema is current.' : `Applied ${applied.join(', ')}.`)
    }, false),
  )

  withJson(lading.command('demo').description('make a demo organization with believable data')).action((options) => {
    const settings = readSettings()
    return onDatabase(async (database) => {
      const demo = await makeDemo(database, settings)
      if (options.json) print(options, demo, '')
      else announce(demo, settings)
    })
  })

  const org = lading.command('org').description('organizations')
  withJson(org.command('create').description('make an organization').argument('<name>', 'such as "Blue Ridge Freight"')).action((name, options) =>
    onDatabase(async (database) => {
      const made = await createOrganization(database, name)
      print(options, made, `Made the organization ${made.name}: ${made.id}`)
    }),
  )
  withJson(org.command('list').description('list the organizations')).action((options) =>
    onDatabase(async (database) => {
      const all = await listOrganizations(database)
      print(options, all, all.map(({ id, name }) => `${id}  ${name}`).join('\n') || 'There is no organization yet.')
    }),
  )

  withJson(
    lading
      .command('user')
      .description('users')
      .command('create')
      .description('make a user of an organization')
      .argument('<email>', 'what they sign in with')
      .requiredOption('--org <id>', 'the organization')
      .requiredOption('--name <name>', 'what people call them')
      .addOption(new Option('--role <role>', 'admin or member').choices(roles).default('member'))
      .option('--password <password>', 'a first password, with which they sign in once to choose their own; without it a link for the same is printed'),
  ).action((email, { org, name, role, password, ...options }: { org: string; name: string; role: Role; password?: string; json?: boolean }) =>
    onDatabase(async (database) => {
      const { authUrl } = readSettings()
      const { json, id, invitation } = await createUser(await contextOf(database, org), { email, name, role, ...(password !== undefined && { password }) })
      const invitation_url = invitation && `${authUrl}/invitation/${invitation}`
      const note = invitation_url
        ? `They choose a password at this link, which is shown this once and good for 7 days: ${invitation_url}`
        : `They sign in with the first password at ${authUrl}/sign-in within 7 days, and choose their own.`
      print(options, { ...JSON.parse(json), invitation_url }, `Invited the ${role} ${email}: ${id}\n${note}`)
    }),
  )

  withJson(
    lading
      .command('application')
      .description('OAuth applications')
      .command('create')
      .description('make an OAuth application of an organization')
      .argument('<name>', 'such as "Warehouse sync"')
      .requiredOption('--org <id>', 'the organization')
      .addOption(new Option('--type <type>', 'whether it can keep a secret').choices(['confidential', 'public']).default('confidential'))
      .option('--redirect-uri <uri...>', 'where people return to after they signed in', [])
      .addOption(new Option('--scope <scope...>', 'what it may ask for; everything unless said').choices(scopeNames).default(scopeNames, 'all'))
      .addOption(new Option('--grant <grant...>', 'the flows it may use').choices(grantTypes).default(['authorization_code', 'refresh_token'])),
  ).action(
    (
      name,
      {
        org,
        type,
        redirectUri,
        scope,
        grant,
        ...options
      }: { org: string; type: 'confidential' | 'public'; redirectUri: string[]; scope: Scope[]; grant: GrantType[]; json?: boolean },
    ) =>
      onDatabase(async (database) => {
        const made = await createApplication(await contextOf(database, org), { name, type, redirect_uris: redirectUri, scopes: scope, grant_types: grant })
        print(
          options,
          { ...JSON.parse(made.json), client_secret: made.client_secret },
          `Made the application ${name}\nClient id: ${made.client_id}${made.client_secret ? `\nClient secret, shown this once: ${made.client_secret}` : ''}`,
        )
      }),
  )

  withJson(
    lading
      .command('keys')
      .description('the keys that sign access tokens')
      .command('rotate')
      .description('begin to sign with a new key; tokens signed with the old one stay good until they expire'),
  ).action((options) =>
    onDatabase(async ({ pool }) => {
      const kid = await rotateKeys(pool)
      print(options, { kid }, `The key ${kid} is published, and signs in half a minute.`)
    }),
  )

  const incoming = lading.command('import').description('bring records in from a file')
  fromFile(
    incoming.command('bills').description('create or update bills from a CSV file with the columns of the export; running it again goes on where it stopped'),
  ).action((file, options: FromFile) => importing(file, options, ({ billsIn }, ctx) => billsIn(ctx)))
  fromFile(
    incoming
      .command('objects')
      .description('create or update objects of a kind from a CSV file with the columns of the export; running it again goes on where it stopped')
      .requiredOption('--kind <objectKey>', 'the kind of object, such as customer'),
  ).action((file, { kind, ...options }: FromFile & { kind: string }) => importing(file, options, ({ objectsIn }, ctx) => objectsIn(ctx, kind)))

  addUpkeep(lading)
  return lading
}

type FromFile = { org?: string; dryRun: boolean; report?: string; json?: boolean }

function fromFile(command: Command): Command {
  return withJson(
    command
      .argument('<file>', 'CSV in UTF-8, with a header')
      .option('--org <id>', 'the organization; not needed where there is only one')
      .option('--dry-run', 'only say what would be', false)
      .option('--report <file>', 'where to write the rows that fail; <file>.failed.csv unless said'),
  )
}

type Importing = typeof import('./import.ts')

function importing(
  file: string,
  { org, dryRun, report = `${file}.failed.csv`, ...options }: FromFile,
  incoming: (importing: Importing, ctx: Context) => Incoming,
): Promise<void> {
  return onDatabase(async (database) => {
    const own = await import('./import.ts')
    const ctx = await contextOf(database, org ?? (await onlyOrganization(database)))
    const imported = await own.importFile(incoming(own, ctx), file, { dryRun, report })
    print(options, { dry_run: dryRun, ...imported }, own.summaryOf(imported, dryRun))
    if (imported.counts.failed > 0 || imported.stopped) process.exitCode = 1
  })
}

async function onlyOrganization(database: Database): Promise<string> {
  const [one, another] = await listOrganizations(database)
  if (!one) throw invalid('org', 'no_organization', 'There is no organization yet; lading org create makes one.')
  if (another) throw invalid('org', 'org_required', 'There are several organizations: say which with --org (see lading org list).')
  return one.id
}

async function contextOf(database: Database, org: string) {
  if (!isId(org)) throw invalid('org', 'bad_uuid', `--org must be the UUID of an organization (see lading org list), not "${org}".`)
  const id = org.toLowerCase()
  if (!(await findOrganization(database, id))) throw notFound('organization', org)
  return systemContext(database, id)
}
