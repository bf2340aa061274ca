import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { deepTest } from '../depth.ts'
import { databaseOf, demoOf, newDataDir, postgresOn, startLading, until, usedDataDir } from './lading.ts'

const oneLine = /^lading: [^\n]+\n$/

describe('lading start', { concurrency: 2 }, () => {
  test('makes the demo on the first start, prints its secrets once, and keeps both and the data on the second, in a data directory with spaces, quotes, commas and colons', async (t) => {
    const first = startLading(t, join(newDataDir(t), `it's "my" data, at 10:30 – $HOME`))
    await first.ready()
    const file = join(first.dataDir, 'demo.json')
    const demo = demoOf(first.dataDir)
    assert.deepEqual(Object.keys(demo).sort(), [
      ...['audience', 'auth_url', 'authorize_url', 'base_url', 'client_id', 'client_secret', 'network_url', 'org_id'],
      ...['partner_password', 'partner_username', 'password', 'redirect_uris', 'token_url', 'username'],
    ])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    for (const secret of [demo.password, demo.client_secret, demo.partner_password])
      assert.equal(first.said().split(secret as string).length, 2)
    first.kill('SIGINT')
    assert.equal((await first.ended).code, 0)
    assert.equal(postgresOn(first.dataDir), null)

    const second = startLading(t, first.dataDir)
    const url = await second.ready()
    assert.deepEqual(demoOf(first.dataDir), demo)
    for (const secret of [demo.password, demo.client_secret, demo.partner_password])
      assert.ok(!second.said().includes(secret as string))
    const [count] = await databaseOf(t, embeddedAddress(first.dataDir)).run(
      sql`select count(*)::int as organizations from organizations`,
    )
    assert.deepEqual({ ...count }, { organizations: 1 })

    await t.test(
      'it opens no TCP port for PostgreSQL, lets nobody else near its socket, and has it write to disk before it acknowledges',
      async () => {
        const pool = databaseOf(t, embeddedAddress(second.dataDir))
        const names = ['listen_addresses', 'fsync', 'full_page_writes', 'synchronous_commit', 'unix_socket_permissions']
        const rows = await pool.run(sql`select name, setting from pg_settings where name = any (${names})`)
        assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
          listen_addresses: '',
          fsync: 'on',
          full_page_writes: 'on',
          synchronous_commit: 'on',
          unix_socket_permissions: '0700',
        })
        assert.equal(statSync(embeddedAddress(second.dataDir).host).mode & 0o777, 0o700)
        if (process.platform === 'linux') assert.deepEqual(tcpSocketsOf(postgresOn(second.dataDir) as number), [])
      },
    )

    await t.test('another runs next to it, on its own data', async () => {
      const other = startLading(t, newDataDir(t, await usedDataDir(t)))
      assert.notEqual(await other.ready(), url)
      for (const each of [second, other]) each.kill('SIGTERM')
      for (const each of [second, other]) assert.equal((await each.ended).code, 0)
      for (const { dataDir } of [second, other]) assert.equal(postgresOn(dataDir), null)
    })
  })

  deepTest('refuses in one line, with exit code 1, a data directory that cannot be written', async (t) => {
    const file = newDataDir(t)
    writeFileSync(file, 'a file, not a directory')
    const { code, stderr } = await startLading(t, join(file, 'data')).ended
    assert.equal(code, 1)
    assert.match(stderr, oneLine)
    assert.match(stderr, /Cannot write to the data directory .*ENOTDIR.*DATA_DIR/)
  })

  test('refuses a wrong setting in one line, with exit code 1', async (t) => {
    const { code, stderr } = await startLading(t, newDataDir(t), { PORT: 'abc' }).ended
    assert.equal(code, 1)
    assert.equal(stderr, 'lading: PORT="abc" is not a whole number from 0 to 65535.\n')
  })

  test('notices a port that is taken before it makes anything', async (t) => {
    const dataDir = newDataDir(t)
    const port = await takePort(t)
    const { code, stderr, stdout } = await startLading(t, dataDir, { PORT: String(port) }).ended
    assert.deepEqual(
      [code, stderr, stdout],
      [
        1,
        `lading: Port ${port} on 127.0.0.1 is taken by another program. Choose another with PORT, such as PORT=${port + 1}.\n`,
        '',
      ],
    )
    assert.deepEqual(madeIn(dataDir), [])
  })

  deepTest('refuses a port that is taken in one line, and leaves no PostgreSQL behind', async (t) => {
    const dataDir = newDataDir(t, await usedDataDir(t))
    const port = await takePort(t)
    for (const WORKERS of ['1', '2']) {
      const { code, stderr } = await startLading(t, dataDir, { PORT: String(port), WORKERS }).ended
      assert.equal(code, 1)
      assert.equal(
        stderr,
        `lading: Port ${port} on 127.0.0.1 is taken by another program. Choose another with PORT, such as PORT=${port + 1}.\n`,
      )
      assert.equal(postgresOn(dataDir), null)
    }
  })

  deepTest(
    'asked to stop while it is still starting, stops, leaves no PostgreSQL behind, and starts well the next time, in a data directory of 250 bytes',
    async (t) => {
      const parent = newDataDir(t)
      const dataDir = join(parent, 'a-long-name/'.repeat(25).slice(0, 250 - parent.length))
      const early = startLading(t, dataDir)
      await until(
        () => madeIn(dataDir).some((name) => name.startsWith('postgres')),
        'it has begun to make its database',
      )
      early.kill('SIGTERM')
      assert.deepEqual((({ code, stderr }) => ({ code, stderr }))(await early.ended), { code: 0, stderr: '' })
      assert.equal(postgresOn(dataDir), null)
      const started = startLading(t, dataDir)
      await started.ready()
      started.kill('SIGTERM')
      assert.equal((await started.ended).code, 0)
      assert.equal(postgresOn(dataDir), null)
    },
  )
})

function madeIn(dataDir: string): string[] {
  try {
    return readdirSync(dataDir)
  } catch {
    return []
  }
}

async function takePort(t: { after(work: () => void): void }): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  return (server.address() as { port: number }).port
}

function tcpSocketsOf(pid: number): string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]),
  )
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && inodes.has(line.trim().split(/\s+/)[9])),
  )
}
