import { Command } from 'commander'
import { readSettings } from './settings.ts'
import type { JobsOf } from './tools/cli/doctor.ts'
import type { Terminal } from './tools/cli/terminal.ts'
import { nameHelpInErrors } from './tools/cli/usage.ts'

/** The code of a command: it adds its arguments, options and the commands below it. */
type Loaded = { define(command: Command, terminal: Terminal): void }

/** All commands. Each loads its code when it is named on the command line: most of the time of a short command would be loading the others'. */
export const commands: Record<string, { about: string; load: () => Promise<Loaded> }> = {
  start: {
    about: 'start the server, on the embedded PostgreSQL unless DATABASE_URL is set',
    load: () => import('./start-command.ts'),
  },
  migrate: {
    about: 'bring the schema of the database up to date',
    load: () => import('./tools/cli/commands/migrate.ts'),
  },
  distribute: {
    about: 'spread the tables over the nodes of a cluster of Citus',
    load: () => withJobs(import('./tools/cli/commands/distribute.ts')),
  },
  demo: { about: 'make a demo organization with believable data', load: () => import('./tools/cli/commands/demo.ts') },
  org: { about: 'organizations', load: () => import('./tools/cli/commands/org.ts') },
  user: { about: 'users: create, list, invite, disable, enable', load: () => import('./tools/cli/commands/user.ts') },
  application: {
    about: 'OAuth applications: create, list, rotate-secret, disable, enable, delete',
    load: () => import('./tools/cli/commands/application.ts'),
  },
  session: {
    about: 'where a person is signed in, and what they allowed: list, revoke',
    load: () => import('./tools/cli/commands/session.ts'),
  },
  keys: { about: 'the keys that sign access tokens', load: () => import('./tools/cli/commands/keys.ts') },
  'rotate-bank-keys': {
    about: 'encrypt the bank details of payees with the newest key',
    load: () => import('./tools/cli/commands/rotate-bank-keys.ts'),
  },
  import: { about: 'bring records in from a file', load: () => import('./tools/cli/commands/import.ts') },
  listen: {
    about: 'follow the events of an organization, and send them on to an address, signed as webhooks',
    load: () => import('./tools/cli/remote/listen.ts'),
  },
  trigger: {
    about: 'make an event happen, in the demo organization unless said otherwise',
    load: () => import('./tools/cli/remote/trigger.ts'),
  },
  backup: {
    about: 'save everything that is in the database, while it serves, and read it back',
    load: () => import('./tools/cli/commands/backup.ts'),
  },
  restore: { about: 'bring a backup into an empty database', load: () => import('./tools/cli/commands/restore.ts') },
  doctor: {
    about: 'look for anything that is wrong with this installation and its data',
    load: () => withJobs(import('./tools/cli/commands/doctor.ts')),
  },
  recount: {
    about: 'count all records anew, for when the doctor says that a tally is off',
    load: () => import('./tools/cli/commands/recount.ts'),
  },
  reindex: {
    about: 'index all objects anew, for when the doctor finds a wrong index entry',
    load: () => import('./tools/cli/commands/reindex.ts'),
  },
}

/** The program with the code of the commands that these arguments name, and the names of the others. */
export async function programFor(args: readonly string[], terminal: Terminal): Promise<Command> {
  const json = args.includes('--json')
  const lading = new Command('lading')
    .description(
      'Lading, an open transport-management platform. Settings are environment variables: see docs/settings.md.',
    )
    .version(readSettings({}).version)
    // Errors are reported in one place, main.ts; help that was asked for is printed here.
    .configureOutput({ writeOut: terminal.out, writeErr: json ? () => {} : terminal.err, outputError: () => {} })
  for (const [name, { about, load }] of Object.entries(commands)) {
    const command = lading.command(name).description(about)
    if (args.includes(name)) (await load()).define(command, terminal)
  }
  lading.addHelpText(
    'after',
    '\nExample:\n  lading user create sam@blueridge.example --name "Sam Ortega" --role admin\n\nExit codes: 0 done, 1 refused or failed, 2 the command line is wrong.',
  )
  nameHelpInErrors(lading, json)
  return lading
}

/** For commands that look whether the background work goes well. */
async function withJobs(
  loading: Promise<{ define(command: Command, terminal: Terminal, jobsOf: JobsOf): void }>,
): Promise<Loaded> {
  const [{ define }, { jobsOf }] = await Promise.all([loading, import('./jobs.ts')])
  return { define: (command, terminal) => define(command, terminal, jobsOf) }
}
