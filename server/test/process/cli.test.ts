import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { deepTest } from '../depth.ts'
import { databaseOf, demoOf, lading, newDataDir, postgresOn, startLading, usedDataDir } from './lading.ts'

let used: string
before(async (t) => {
  used = await usedDataDir(t as TestContext)
})

describe('the command line tool', { concurrency: 2 }, () => {
  test('--help and a wrong command line need no database, and end with 0 and 2; a refusal ends with 1, as JSON where that was asked for', async (t) => {
    const { code, stdout } = await lading(['--help'])
    assert.equal(code, 0)
    for (const command of [
      'start',
      'migrate',
      'demo',
      'org',
      'user',
      'application',
      'session',
      'import',
      'doctor',
      'recount',
    ])
      assert.match(stdout, new RegExp(`^ +${command}\\b`, 'm'))
    assert.match((await lading(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
    const wrong = await lading(['user', 'create', 'notanemail'])
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
    assert.match(wrong.stderr, /^lading: <email> must be an e-mail address, not "notanemail"\. [^\n]+\n$/)
    const DATA_DIR = newDataDir(t)
    const none = await lading(['user', 'list', '--json'], { DATA_DIR })
    assert.deepEqual(
      [none.code, none.stdout, JSON.parse(none.stderr).error_code, existsSync(DATA_DIR)],
      [1, '', 'cannot_run', false],
    )
  })

  deepTest('migrate on nothing makes the schema, demo fills it and keeps its secrets for their owner', async (t) => {
    const DATA_DIR = newDataDir(t)
    const { code, stdout } = await lading(['migrate', '--json'], { DATA_DIR })
    assert.equal(code, 0)
    assert.ok(JSON.parse(stdout).applied.length > 0)
    assert.equal(existsSync(join(DATA_DIR, 'demo.json')), false)
    const demo = await lading(['demo', '--json'], { DATA_DIR })
    assert.equal(demo.code, 0)
    assert.deepEqual(JSON.parse(demo.stdout), demoOf(DATA_DIR))
    assert.equal(statSync(join(DATA_DIR, 'demo.json')).mode & 0o777, 0o600)
  })

  test('works with no server running, and leaves none', async (t) => {
    const DATA_DIR = newDataDir(t, used)
    const json = jsonOn(DATA_DIR)
    const org = await json('org', 'create', 'Two Rivers Logistics')
    assert.deepEqual(
      (await json('org', 'list')).map(({ id }: { id: string }) => id),
      [demoOf(DATA_DIR).org_id, org.id],
    )
    assert.ok((await json('doctor')).every(({ ok }: { ok: boolean }) => ok))
    assert.equal(postgresOn(DATA_DIR), null)
  })

  deepTest(
    'next to a running server makes organizations, users and applications, and its doctor exits with 1 once something is wrong',
    async (t) => {
      const DATA_DIR = newDataDir(t, used)
      await startLading(t, DATA_DIR).ready()
      const json = jsonOn(DATA_DIR)
      const org = await json('org', 'create', 'Two Rivers Logistics')
      const user = await json(
        'user',
        'create',
        'kim@two-rivers.example',
        '--org',
        org.id,
        '--name',
        'Kim',
        '--role',
        'admin',
      )
      assert.match(user.invitation_url, /\/invitation\//)
      const first = await json(
        'user',
        'create',
        'lee@two-rivers.example',
        '--org',
        org.id,
        '--name',
        'Lee',
        '--password',
        'seven lanterns at dusk',
      )
      assert.deepEqual(
        [first.invitation_url, first.joined_at, JSON.stringify(first).includes('lanterns')],
        [null, null, false],
      )
      const application = await json(
        'application',
        'create',
        'Sync',
        '--org',
        org.id,
        '--redirect-uri',
        'https://sync.example/back',
      )
      assert.ok(application.client_id && application.client_secret)
      assert.deepEqual(await json('migrate'), { applied: [] })

      const file = join(DATA_DIR, '..', 'bills.csv')
      writeFileSync(file, 'external_id,currency_id\nTMS-1,usd\nTMS-2,xyz\n')
      const imported = await lading(['import', 'bills', file, '--org', org.id, '--json'], { DATA_DIR })
      assert.deepEqual(
        [imported.code, JSON.parse(imported.stdout).counts],
        [1, { created: 1, updated: 0, unchanged: 0, failed: 1 }],
      )
      assert.match(readFileSync(`${file}.failed.csv`, 'utf8'), /\r\nTMS-2,xyz,3,unknown_currency,/)

      const database = databaseOf(t, embeddedAddress(DATA_DIR))
      await database.run(sql`
      insert into tallies as t (org_id, tally, level, bucket, label, n) select org_id, 'bill.created_at', 0, '-infinity', 'draft', 1 from organizations
      on conflict (org_id, tally, level, bucket, label) do update set n = t.n + 1`)
      await database.run(sql`alter table bill_item_types disable row level security`)
      await database.run(sql`
      insert into background_jobs (name, due_at, failures, failed_at, error) values ('delete old entries of the security log', now() + interval '50 minutes', 2, now(), 'out of paper')
      on conflict (name) do update set due_at = excluded.due_at, failures = excluded.failures, failed_at = excluded.failed_at, error = excluded.error`)
      const sick = await lading(['doctor', '--json'], { DATA_DIR })
      assert.equal(sick.code, 1)
      const [schema, tenancy, books, work, ...others] = JSON.parse(sick.stdout).filter(({ ok }: { ok: boolean }) => !ok)
      assert.deepEqual(
        [schema.what, tenancy.what, books.what, work.what, others],
        ['schema', 'tenancy', 'books', 'background work', []],
      )
      assert.equal(schema.message, 'The statement alter table bill_item_types enable row level security is missing.')
      assert.match(tenancy.message, /bill_item_types is not under forced row-level security/)
      assert.match(books.message, /The tally bill.created_at .* too many/)
      assert.match(
        work.message,
        /"delete old entries of the security log" has failed 2 times, last at \S+: out of paper/,
      )

      const mailsOf = async (OUTBOUND: string) => {
        const env = { DATA_DIR, OUTBOUND, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@lading.example' }
        return JSON.parse((await lading(['doctor', '--json'], env)).stdout).find(
          ({ what }: { what: string }) => what === 'mails',
        )
      }
      const unmailed = await mailsOf('on')
      assert.equal(unmailed.ok, false)
      assert.match(
        unmailed.message,
        /^No mail can be handed over to the mail server of SMTP_URL: .*ECONNREFUSED.* \d+ wait to be sent\.$/,
      )
      const quiet = await mailsOf('off')
      assert.equal(quiet.ok, true)
      assert.match(quiet.message, /^Nothing is sent, and the mail server was not asked\. \d+ wait to be sent\.$/)

      assert.equal((await lading(['recount'], { DATA_DIR })).code, 0)
      await database.run(sql`alter table bill_item_types enable row level security`)
      await database.run(sql`update background_jobs set failures = 0`)
      const { code, stdout } = await lading(['doctor'], { DATA_DIR })
      assert.deepEqual([code, stdout.includes('✗'), stdout.includes('✓ books: ')], [0, false, true])
    },
  )
})

/** A command that succeeds and says nothing on stderr, and what it printed. */
function jsonOn(DATA_DIR: string) {
  return async (...args: string[]) => {
    const { code, stdout, stderr } = await lading([...args, '--json'], { DATA_DIR })
    assert.deepEqual({ args, code, stderr }, { args, code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
}
