import assert from 'node:assert/strict'
import { chownSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext } from 'node:test'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { deepTest } from '../depth.ts'
import { databaseOf, demoOf, type Lading, lading, newDataDir, postgresOn, startLading, usedDataDir } from './lading.ts'

const root = process.getuid?.() === 0
/** A user that every system has, and that owns nothing. */
const daemon = { uid: 1, gid: 1 }

describe('whoever starts it', {
  concurrency: 2,
  skip: root ? false : 'only root can become others; the other tests run as an ordinary user then',
}, () => {
  deepTest('an ordinary user runs everything as themselves', async (t) => {
    const dataDir = ownedByDaemon(t)
    const started = startLading(t, dataDir, {}, daemon)
    await started.ready()
    assert.equal(statSync(`/proc/${postgresOn(dataDir)}`).uid, daemon.uid)
    assert.equal(statSync(join(dataDir, 'demo.json')).uid, daemon.uid)
    await stop(started)
  })

  deepTest('an ordinary user without the right to write there is told so in one line', async (t) => {
    const { code, stderr } = await startLading(t, newDataDir(t), {}, daemon).ended
    assert.equal(code, 1)
    assert.match(stderr, /^lading: Cannot write to the data directory [^\n]*\(EACCES\)[^\n]*\n$/)
  })

  deepTest(
    'root runs PostgreSQL as nobody where there are no user namespaces, and the data moves between the two ways',
    async (t) => {
      const dataDir = newDataDir(t, await usedDataDir(t))
      const without = { PATH: pathWithoutUnshare(t) }
      const { org_id } = demoOf(dataDir)
      const started = startLading(t, dataDir, without)
      await started.ready()
      assert.equal(statSync(`/proc/${postgresOn(dataDir)}`).uid, 65534)
      const rows = await databaseOf(t, embeddedAddress(dataDir)).run(sql`select org_id from organizations`)
      assert.deepEqual([...rows], [{ org_id }])
      await stop(started)
      // A command starts PostgreSQL as the server does, with no server next to it.
      for (const env of [{}, without]) {
        const { code, stdout, stderr } = await lading(['org', 'list', '--json'], { ...env, DATA_DIR: dataDir })
        assert.deepEqual([code, stderr, JSON.parse(stdout).map(({ id }: { id: string }) => id)], [0, '', [org_id]])
        assert.equal(statSync(join(dataDir, 'postgres')).uid, 65534)
        assert.equal(postgresOn(dataDir), null)
      }
      assert.equal(statSync(join(dataDir, 'demo.json')).mode & 0o777, 0o600)
    },
  )

  deepTest('root is told in one line what to do where nobody cannot reach the data', async (t) => {
    const closed = newDataDir(t)
    mkdirSync(closed, { mode: 0o700 })
    const { code, stderr } = await startLading(t, join(closed, 'data'), { PATH: pathWithoutUnshare(t) }).ended
    assert.equal(code, 1)
    assert.match(stderr, /^lading: PostgreSQL does not run as root, and the user nobody cannot reach [^\n]*\n$/)
  })
})

async function stop(started: Lading): Promise<void> {
  started.kill('SIGTERM')
  assert.equal((await started.ended).code, 0)
  assert.equal(postgresOn(started.dataDir), null)
}

function ownedByDaemon(t: TestContext): string {
  const dataDir = newDataDir(t)
  mkdirSync(dataDir)
  chownSync(dataDir, daemon.uid, daemon.gid)
  return dataDir
}

function pathWithoutUnshare(t: TestContext): string {
  const bin = join(dirname(newDataDir(t)), 'bin')
  mkdirSync(bin)
  symlinkSync('/bin/ls', join(bin, 'ls'))
  return bin
}
