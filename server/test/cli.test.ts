import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { createJoinedUser } from '../src/identity/users/actions.ts'
import { main } from '../src/main.ts'
import type { Role } from '../src/platform/access/roles.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { sql } from '../src/platform/db/sql/sql.ts'
import { createOrganization, systemContext } from '../src/platform/organizations/actions.ts'
import { commands, programFor } from '../src/program.ts'
import type { Terminal } from '../src/tools/cli/terminal.ts'
import { Browser } from './auth/browser.ts'
import { newParty, refresh, tokensByPassword } from './auth/house.ts'
import { sharedService } from './service.ts'

const service = await sharedService()
const nowhere = join(tmpdir(), `lading-nowhere-${newId()}`)

type Ended = { code: number; out: string; err: string }

/** The command line tool in this process, on the database of the tests, or where `elsewhere` says on no database at all. */
async function lading(args: string[], elsewhere?: Partial<typeof service.settings>): Promise<Ended> {
  const said = { out: '', err: '' }
  const terminal: Terminal = {
    settings: () => ({ ...service.settings, databaseUrl: 'postgres://as-the-tests-say', ...elsewhere }),
    out(text) {
      said.out += text
    },
    err(text) {
      said.err += text
    },
    withDatabase: (_settings, work) => (elsewhere ? assert.fail('it opened a database') : work(service.database)),
    exitCode: 0,
  }
  return { code: await main(args, terminal), ...said }
}

async function json(...args: string[]) {
  const { code, out, err } = await lading([...args, '--json'])
  assert.deepEqual({ args, code, err }, { args, code: 0, err: '' })
  return JSON.parse(out)
}

const newOrganization = async () => (await createOrganization(service.database, 'Two Rivers Logistics')).id
const newEmail = () => `${newId()}@people.example`

describe('every command', () => {
  test('has help with an example, and is loaded only when it is named', async () => {
    const leaves = (command: Command): Command[] =>
      command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
    const terminal = { out() {}, err() {} } as unknown as Terminal
    const whole = leaves(await programFor(Object.keys(commands), terminal))
    assert.ok(whole.length > 20)
    for (const command of whole) {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
      assert.match(help, new RegExp(`\nExample:\n {2}(?:\\w+=\\w+ )?lading .*${command.name()}`), command.name())
    }
    const unloaded = await programFor(['org', 'list'], terminal)
    assert.deepEqual(
      unloaded.commands
        .filter(({ commands, options }) => commands.length + options.length > 0)
        .map((command) => command.name()),
      ['org'],
    )
  })

  test('that is used wrongly ends with 2, one line on stderr that leads to its own help, and the name that comes close', async () => {
    for (const [args, said] of [
      [['usr'], /^lading: unknown command 'usr'\. Did you mean user\? See lading --help\.\n$/],
      [['user', 'lst'], /^lading: unknown command 'lst'\. Did you mean list\? See lading user --help\.\n$/],
      [
        ['user', 'create', 'a@b.example', '--nam', 'A'],
        /^lading: unknown option '--nam'\. Did you mean --name\? See lading user create --help\.\n$/,
      ],
      [
        ['user', 'create', 'notanemail'],
        /^lading: <email> must be an e-mail address, not "notanemail"\. --name is required\. See lading user create --help\.\n$/,
      ],
      [
        ['user', 'create', 'a@b.example', '--name', 'A', '--password', 'short'],
        /^lading: --password needs at least 10 characters\. See lading user create --help\.\n$/,
      ],
      [
        ['user', 'create', 'a@b.example', '--name', 'A', '--role', 'boss'],
        /^lading: option '--role <role>' argument 'boss' is invalid\. Allowed choices are admin, member, clerk, approver, payer, read_only, partner\. See/,
      ],
      [
        ['user', 'create', 'a@b.example', '--name', 'A', '--org', 'x'],
        /^lading: option '--org <id>' argument 'x' is invalid\. It must be the UUID of an organization [^\n]+\n$/,
      ],
      [
        ['user', 'list', '--limit', 'ten'],
        /It must be a whole number from 0 to 200\. See lading user list --help\.\n$/,
      ],
      [
        ['application', 'create', 'Sync', '--redirect-uri', 'not a url'],
        /^lading: "not a url" is not an https address [^\n]+ See lading application create --help\.\n$/,
      ],
      [['org', 'create'], /^lading: missing required argument 'name'\. See lading org create --help\.\n$/],
      [
        ['session', 'revoke', 'a@b.example'],
        /^lading: Name the ids to revoke, or say --all for everything\. See lading session revoke --help\.\n$/,
      ],
    ] as const) {
      const { code, out, err } = await lading([...args], { dataDir: nowhere, databaseUrl: null })
      assert.deepEqual({ args, code, out }, { args, code: 2, out: '' })
      assert.match(err, said)
      const error = await lading([...args, '--json'], { dataDir: nowhere, databaseUrl: null })
      assert.deepEqual(
        [error.code, error.out, Object.keys(JSON.parse(error.err))],
        [2, '', ['error_code', 'error_message', 'details', 'help']],
      )
    }
    const group = await lading(['user'])
    assert.deepEqual([group.code, group.out, /Commands:/.test(group.err)], [2, '', true])
    assert.deepEqual(JSON.parse((await lading(['user', '--json'])).err).help, 'lading user --help')
  })

  test('that needs a database says in one line that there is none, and makes nothing', async () => {
    const org = newId()
    for (const args of [
      ['org', 'list'],
      ['user', 'list'],
      ['user', 'create', newEmail(), '--name', 'Kim', '--org', org],
      ['user', 'disable', newEmail()],
      ['application', 'list'],
      ['session', 'list', newEmail()],
      ['keys', 'rotate'],
      ['import', 'bills', 'bills.csv'],
      ['recount'],
      ['reindex'],
      ['doctor'],
    ]) {
      const { code, out, err } = await lading(args, { dataDir: nowhere, databaseUrl: null })
      assert.deepEqual([args, code], [args, 1])
      assert.match(
        args[0] === 'doctor' ? out : err,
        /There is no database in .* yet; lading start makes one\. [^\n]+\n$/,
      )
    }
    const { err } = await lading(['user', 'list', '--json'], { dataDir: nowhere, databaseUrl: null })
    assert.deepEqual([JSON.parse(err).error_code, existsSync(nowhere)], ['cannot_run', false])
  })
})

describe('an error', () => {
  test('of the data is one line, or with --json one object in the form of the API, with exit code 1', async () => {
    const org = await newOrganization()
    const plain = await lading(['user', 'disable', 'nobody@people.example', '--org', org])
    assert.deepEqual(
      [plain.code, plain.out, plain.err],
      [1, '', 'lading: There is no user "nobody@people.example" in this organization.\n'],
    )
    const { code, out, err } = await lading(['user', 'list', '--org', newId(), '--json'])
    assert.deepEqual([code, out, JSON.parse(err).error_code, JSON.parse(err).details], [1, '', 'not_found', []])
    const email = newEmail()
    await joined(org, email, { role: 'admin' })
    const last = await lading(['user', 'disable', email, '--org', org, '--json'])
    assert.deepEqual([last.code, JSON.parse(last.err).error_code], [1, 'last_admin'])
  })

  test('of a file that cannot be read or written is found before anything is done', async () => {
    const org = await newOrganization()
    for (const [args, said] of [
      [[nowhere], /cannot be read \(ENOENT\)/],
      [
        [fileURLToPath(import.meta.url), '--report', join(nowhere, 'report.csv')],
        /report cannot be written to .* \(ENOENT\); name another file with --report/,
      ],
      [[fileURLToPath(import.meta.url), '--report', tmpdir()], /report cannot be written to .* \(EISDIR\)/],
    ] as const) {
      const { code, out, err } = await lading(['import', 'bills', ...args, '--org', org, '--json'])
      assert.deepEqual([code, out], [1, ''])
      assert.match(JSON.parse(err).error_message, said)
    }
  })

  test('of ours is one line too, and shows where it happened only to who asks', async () => {
    const failing = (logLevel: 'info' | 'debug', err: (text: string) => void): Terminal => ({
      settings: () => ({ ...service.settings, databaseUrl: 'postgres://as-the-tests-say', logLevel }),
      out() {},
      err,
      withDatabase: () => Promise.reject(new Error('out of paper\nand ink')),
      exitCode: 0,
    })
    for (const [level, lines] of [
      ['info', /^lading: out of paper \([^\n]+\)\n$/],
      ['debug', /^lading: out of paper [^\n]+\nError: out of paper\nand ink\n +at /],
    ] as const) {
      let said = ''
      assert.equal(
        await main(
          ['org', 'list'],
          failing(level, (text) => (said += text)),
        ),
        1,
      )
      assert.match(said, lines)
    }
  })
})

describe('import', () => {
  test('brings bills in from a file, says which rows failed in a file that can be corrected and imported, and can be run again', async () => {
    const org = await newOrganization()
    const file = join(mkdtempSync(join(tmpdir(), 'lading-import-')), 'bills.csv')
    const rows = ['TMS-1,paid,usd,2024-02-01', 'TMS-2,draft,xyz,', 'TMS-3,saved,eur,'].join('\n')
    writeFileSync(file, `external_id,status_id,currency_id,paid_at,colour\n${rows.replaceAll('\n', ',red\n')},red\n`)
    const run = async (...args: string[]) => {
      const { code, out } = await lading(['import', 'bills', ...args, '--org', org, '--json'])
      const { counts, report, unknown_columns } = JSON.parse(out)
      return { code, counts, report, unknown_columns }
    }
    const tried = await run(file, '--dry-run')
    assert.deepEqual(tried.counts, { created: 2, updated: 0, unchanged: 0, failed: 1 })
    assert.deepEqual(await run(file), { ...tried, code: 1, report: `${file}.failed.csv`, unknown_columns: ['colour'] })
    const failed = readFileSync(`${file}.failed.csv`, 'utf8')
    assert.match(
      failed,
      /^external_id,status_id,currency_id,paid_at,colour,failed_line,failed_code,failed_column,failed_because\r\nTMS-2,draft,xyz,,red,3,unknown_currency,currency_id,"/,
    )
    writeFileSync(`${file}.failed.csv`, failed.replace('xyz', 'usd'))
    assert.deepEqual((await run(`${file}.failed.csv`)).counts, { created: 1, updated: 0, unchanged: 0, failed: 0 })
    const plain = await lading(['import', 'bills', file, '--org', org])
    assert.match(
      plain.out,
      /^bills\.csv: 0 created, 0 updated, 2 unchanged, 1 failed, in [\d.]+ s \([\d,]+ rows\/s\)\.\n/,
    )
    const missing = await lading(['import', 'bills', `${file}.gone`, '--org', org])
    assert.deepEqual([missing.code, missing.out], [1, ''])
    assert.match(missing.err, /cannot be read \(ENOENT\)/)
  })

  test('brings carrier invoices in, a row for each line, and makes none twice', async () => {
    const org = await newOrganization()
    const file = join(mkdtempSync(join(tmpdir(), 'lading-import-')), 'invoices.csv')
    writeFileSync(
      file,
      'invoice_number,currency_id,line_type,line_amount\nA-1,usd,Line haul,100\nA-1,,Fuel,20\nA-2,xyz,Fuel,20\n',
    )
    const run = async (...args: string[]) =>
      JSON.parse((await lading(['import', 'carrier_invoices', file, ...args, '--org', org, '--json'])).out)
    assert.deepEqual((await run('--dry-run')).counts, { created: 2, updated: 0, unchanged: 0, failed: 1 })
    assert.deepEqual((await run()).counts, { created: 2, updated: 0, unchanged: 0, failed: 1 })
    assert.match(readFileSync(`${file}.failed.csv`, 'utf8'), /A-2,xyz,Fuel,20,4,unknown_currency,currency_id,/)
    assert.deepEqual((await run()).counts, { created: 0, updated: 0, unchanged: 2, failed: 1 })
  })

  test('brings objects of a kind in from a file of many lots, with the same report and exit codes', async () => {
    const org = await newOrganization()
    const file = join(mkdtempSync(join(tmpdir(), 'lading-import-')), 'customers.csv')
    const run = async (...args: string[]) => {
      const { code, out, err } = await lading(['import', 'objects', ...args, '--org', org, '--json'])
      return { code, err, ...JSON.parse(out || '{}') }
    }
    const rows = Array.from({ length: 500 }, (_, index) => `C-${index},Customer ${index},usd`)
    writeFileSync(file, `externalId,name,currency\n${rows.join('\n')}\nC-x,Wrong,xyz\n`)
    const tried = await run(file, '--kind', 'customer', '--dry-run')
    assert.deepEqual(
      [tried.code, tried.dry_run, tried.rows, tried.counts],
      [1, true, 501, { created: 500, updated: 0, unchanged: 0, failed: 1 }],
    )
    const done = await run(file, '--kind', 'customer')
    assert.deepEqual(
      [done.code, done.counts, done.report, done.stopped],
      [1, tried.counts, `${file}.failed.csv`, false],
    )
    const failed = readFileSync(`${file}.failed.csv`, 'utf8')
    assert.match(
      failed,
      /^externalId,name,currency,failed_line,failed_code,failed_column,failed_because\r\nC-x,Wrong,xyz,502,unknown_currency,currency,"/,
    )
    writeFileSync(`${file}.failed.csv`, failed.replace('xyz', 'cad'))
    const corrected = await run(`${file}.failed.csv`, '--kind', 'customer')
    assert.deepEqual([corrected.code, corrected.counts.created, corrected.unknown_columns], [0, 1, []])
    const unknown = await run(file, '--kind', 'nonsense')
    assert.equal(unknown.code, 1)
    assert.match(JSON.parse(unknown.err).error_message, /no kind of object "nonsense"/)
  })

  test('that is refused leaves no file open, wherever it was refused', async () => {
    const org = await newOrganization()
    const file = join(mkdtempSync(join(tmpdir(), 'lading-import-')), 'customers.csv')
    writeFileSync(file, `name,name\n${'Customer,1\n'.repeat(100_000)}`)
    const refused = async (kind: string, from = file) => {
      const { code, err } = await lading(['import', 'objects', from, '--kind', kind, '--org', org, '--json'])
      assert.equal(code, 1)
      return JSON.parse(err).error_message
    }
    assert.match(await refused('nonsense'), /no kind of object/)
    // A file that nobody asked for is not even opened: what goes wrong with it would end the program.
    assert.match(await refused('nonsense', `${file}.gone`), /no kind of object/)
    assert.match(await refused('customer'), /name/)
    if (process.platform === 'linux')
      while (openFiles().includes(file)) await new Promise((resolve) => setImmediate(resolve))
  })
})

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      return [readlinkSync(`/proc/self/fd/${number}`)]
    } catch {
      // Closed meanwhile.
      return []
    }
  })
}

describe('users, applications and sessions', () => {
  test('a user is listed, disabled, enabled and invited, by address or id, each with its event', async () => {
    const org = await newOrganization()
    const [kim, lee] = [newEmail(), newEmail()]
    const made = await json('user', 'create', kim, '--name', 'Kim', '--role', 'admin', '--org', org)
    await json('user', 'create', lee, '--name', 'Lee', '--org', org)
    const list = await lading(['user', 'list', '--org', org])
    assert.match(
      list.out,
      new RegExp(
        `^id +e-mail +name +role +state +last sign-in\n[\\w-]{36} +${lee} +Lee +member +invited +-\n${made.id} +${kim} +Kim +admin +invited +-\n$`,
      ),
    )
    assert.equal((await json('user', 'list', '--search', 'lee', '--org', org)).total, 1)
    assert.match(
      (await lading(['user', 'list', '--limit', '1', '--org', org])).out,
      /\n1 of 2; --offset shows the others\.\n$/,
    )
    const disabled = await json('user', 'disable', lee.toUpperCase(), '--org', org)
    assert.notEqual(disabled.disabled_at, null)
    assert.match((await lading(['user', 'list', '--search', lee, '--org', org])).out, / disabled /)
    assert.equal((await lading(['user', 'enable', disabled.id, '--org', org])).out, `${lee} is enabled.\n`)
    // A person of another organization joins by an invitation.
    const other = await newOrganization()
    assert.ok((await json('user', 'create', kim, '--name', 'Kim', '--org', other)).invitation_url)
    assert.match((await json('user', 'invite', kim, '--org', other)).invitation_url, /\/invitation\/[\w.-]{20,}$/)
    const events = await service.database.transaction(org, (run) =>
      run<{ type: string }>(sql`select type from events where org_id = ${org} order by id`),
    )
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => type.startsWith('user.')),
      ['user.created', 'user.created', 'user.disabled', 'user.enabled'],
    )
  })

  test('an application is listed, gets a new secret, is disabled, enabled and deleted, by its client id', async () => {
    const org = await newOrganization()
    const { client_id, client_secret } = await json(
      'application',
      'create',
      'Sync',
      '--grant',
      'client_credentials',
      '--scope',
      'bills',
      '--org',
      org,
    )
    const token = async (secret: string) => {
      const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret: secret })
      const answer = await service.app.inject({
        method: 'POST',
        url: '/oauth2/token',
        payload: form.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      return answer.statusCode
    }
    assert.equal(await token(client_secret), 200)
    assert.match(
      (await lading(['application', 'list', '--org', org])).out,
      new RegExp(
        `^client id +name +type +flows +state +last used\n${client_id} +Sync +confidential +client_credentials +enabled +\\d{4}-`,
      ),
    )
    const rotated = await json('application', 'rotate-secret', client_id, '--overlap', '0', '--org', org)
    assert.deepEqual([await token(client_secret), await token(rotated.client_secret)], [401, 200])
    assert.notEqual((await json('application', 'disable', client_id, '--org', org)).disabled_at, null)
    assert.equal(await token(rotated.client_secret), 401)
    assert.match((await lading(['application', 'list', '--org', org])).out, / disabled /)
    assert.equal(
      (await lading(['application', 'enable', rotated.id, '--org', org])).out,
      `The application ${rotated.id} is enabled.\n`,
    )
    assert.equal(await token(rotated.client_secret), 200)
    assert.deepEqual(await json('application', 'delete', client_id, '--org', org), { id: rotated.id, deleted: true })
    assert.equal(await token(rotated.client_secret), 401)
    assert.equal((await lading(['application', 'list', '--org', org])).out, 'There is no application.\n')
  })

  test('a session is listed and revoked, one or all', async () => {
    const org = await newOrganization()
    const [email, password] = [newEmail(), 'correct horse battery']
    await joined(org, email, { password })
    assert.equal(
      (await lading(['session', 'list', email])).out,
      `${email} is signed in nowhere and has allowed no application.\n`,
    )
    const browsers = [await signedIn(email, password), await signedIn(email, password), await signedIn(email, password)]
    const { sessions } = await json('session', 'list', email.toUpperCase())
    assert.equal(sessions.length, 3)
    assert.match(
      (await lading(['session', 'list', email])).out,
      /^id +what +since +where\n(?:[\w-]+ +browser +\d{4}-\S+ +127\.0\.0\.1 lightMyRequest\n){3}$/,
    )
    const unknown = await lading(['session', 'revoke', email, sessions[0].id, 'nonsense'])
    assert.deepEqual([unknown.code, /no application with the id "nonsense"/.test(unknown.err)], [1, true])
    assert.match(
      (await lading(['session', 'revoke', email, '-ByChance'])).err,
      /no application with the id "-ByChance"/,
    )
    assert.equal((await json('session', 'list', email)).sessions.length, 3, 'nothing half done')
    await json('session', 'revoke', email, sessions[0].id)
    assert.equal((await json('session', 'list', email)).sessions.length, 2)
    await json('session', 'revoke', email, '--all')
    assert.deepEqual(await json('session', 'list', email), { email, sessions: [], applications: [] })
    for (const browser of browsers) assert.equal((await browser.get('/account')).location, '/sign-in')
    assert.equal((await lading(['session', 'list', newEmail()])).code, 1)
  })

  test('what a person allowed an application is listed and taken back, and its tokens are dead', async () => {
    const party = await newParty(service)
    const { refresh_token } = await tokensByPassword(service, party)
    const kept = await tokensByPassword(service, party)
    const { applications } = await json('session', 'list', party.email)
    assert.deepEqual(
      applications.map(({ application, organization }: Record<string, string>) => [application, organization]),
      [['An application', 'An organization']],
    )
    assert.match(
      (await lading(['session', 'list', party.email])).out,
      /^id +what +since +where\n\S+ +application +\S+ +An application in An organization\n$/,
    )
    await json('session', 'revoke', party.email, applications[0].id)
    for (const token of [refresh_token, kept.refresh_token])
      assert.equal((await refresh(service, party, token)).statusCode, 400)
    assert.deepEqual((await json('session', 'list', party.email)).applications, [])
  })
})

async function signedIn(email: string, password: string): Promise<Browser> {
  const browser = new Browser(service)
  assert.equal((await browser.post('/sign-in', { email, password })).location, '/account')
  return browser
}

/** Someone who has accepted their invitation. */
async function joined(
  org: string,
  email: string,
  { role = 'member', password = 'correct horse battery' }: { role?: Role; password?: string },
): Promise<void> {
  await createJoinedUser(systemContext(service.database, org), { email, name: 'Kim', role, password })
}
