import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { createBill, updateBill } from '../../src/books/kinds/bills.ts'
import { verifyBooks } from '../../src/books/verify.ts'
import { jobsOf } from '../../src/jobs.ts'
import { makeBackup } from '../../src/platform/backup/make.ts'
import { restoreBackup } from '../../src/platform/backup/restore.ts'
import { backupJob, lastBackup } from '../../src/platform/backup/schedule.ts'
import { listTables, summarize } from '../../src/platform/backup/store.ts'
import type { Context } from '../../src/platform/context.ts'
import { tenancyFaults } from '../../src/platform/db/cluster/tenancy.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { connect, oneSnapshot, type Pool } from '../../src/platform/db/pool/connect.ts'
import { migrate } from '../../src/platform/db/schema/migrate.ts'
import { readAllOrganizations } from '../../src/platform/db/schema/organizations.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { createDocument } from '../../src/platform/files/actions.ts'
import { receiveUpload, type Upload } from '../../src/platform/files/contents/receive.ts'
import { verifyDocuments } from '../../src/platform/files/contents/verify.ts'
import { directoryStorage } from '../../src/platform/files/storage/directory.ts'
import type { Storage } from '../../src/platform/files/storage/storage.ts'
import { makeMetrics } from '../../src/platform/observe/metrics.ts'
import { createOrganization, systemContext } from '../../src/platform/organizations/actions.ts'
import { startWork } from '../../src/platform/work/scheduler.ts'
import { verifyObjects } from '../../src/records/upkeep/verify.ts'
import { readSettings } from '../../src/settings.ts'
import { examine } from '../../src/tools/cli/doctor.ts'
import { makeDemo } from '../../src/tools/demo/demo.ts'
import { deepOnly } from '../depth.ts'
import { startDatabaseServer } from './database.ts'

/** All as a role that owns the schema and is no superuser, which row-level security holds for. */
test('with an owner that is no superuser', async (t) => {
  const place = await openPlace(t)

  await t.test('a backup made while it serves is restored row for row, and passes the doctor', deepOnly, async () => {
    const source = await place.migrated('source')
    await makeDemo(source, readSettings({ DATA_DIR: place.folder }))
    const { id: org } = await createOrganization(source, 'Another organization')
    const ctx = systemContext(source, org)
    const { id } = await createBill(ctx, {
      currency_id: 'usd',
      notes: 'tab\there, line\nbreak, back\\slash, "quotes", \\N',
    })
    const document = await keptDocument(ctx, place)
    let busy = true
    let written = 0
    const writer = (async () => {
      while (busy) await updateBill(ctx, { by: 'id', id }, { reference_number: String(++written) }, null)
    })()
    const tar = join(place.folder, 'while-it-serves.tar')
    await makeBackup(source.pool, tar, '0.2.0', place.storage)
    busy = false
    await writer
    assert.ok(written > 0)
    const directory = join(place.folder, 'in-peace')
    const made = await makeBackup(source.pool, directory, '0.2.0', place.storage)
    assert.ok(made.rows > 500)

    const ofTar = await place.database('of_tar')
    await restoreBackup(ofTar.pool, tar, place.restored, place.folder)
    const ofDirectory = await place.database('of_directory')
    await restoreBackup(ofDirectory.pool, directory, place.restored, place.folder)
    assert.deepEqual(await hashesOf(ofDirectory.pool), await hashesOf(source.pool))
    assert.equal(made.documents?.copied, true)
    assert.equal(await place.restored.sizeOf({ org, sha256: document.sha256 }), document.size)
    for (const copy of [ofTar, ofDirectory]) {
      const { faults, unknown, checked } = await verifyDocuments(copy.pool, place.restored, { deep: true })
      assert.deepEqual([faults, unknown, checked], [[], [], made.documents?.files])
      assert.deepEqual(await migrate(copy.pool), [])
      assert.deepEqual(
        [await verifyBooks(copy.pool), await verifyObjects(copy), await tenancyFaults(copy.pool.run)],
        [[], [], []],
      )
    }
    // As pg_restore fills tables: what computes columns finds the functions that it calls.
    await ofDirectory.transaction(org, async (run) => {
      await run(sql`set local search_path = ''`)
      await run(sql`update public.bills set notes = 'written without a search path' where org_id = ${org}`)
    })
    await updateBill(systemContext(ofTar, org), { by: 'id', id }, { notes: 'goes on' }, null)
  })

  await t.test(
    'a backup that is damaged, incomplete or of a newer version is refused with what is wrong, and leaves the database empty',
    async () => {
      const source = await place.migrated('small')
      const { id: org } = await createOrganization(source, 'An organization')
      const { sha256 } = await keptDocument(systemContext(source, org), place)
      const good = join(place.folder, 'good')
      await makeBackup(source.pool, good, '0.2.0', place.storage)
      await makeBackup(source.pool, `${good}.tar`, '0.2.0', place.storage)
      const target = await place.database('target')
      const refuses = async (damage: (copy: string) => void, reason: RegExp, from = good) => {
        const copy = join(place.folder, `copy${from.endsWith('.tar') ? '.tar' : ''}`)
        cpSync(from, copy, { recursive: true })
        damage(copy)
        await assert.rejects(restoreBackup(target.pool, copy, place.restored, place.folder), reason)
        rmSync(copy, { recursive: true })
      }
      const part = (copy: string) =>
        join(
          copy,
          'tables',
          readdirSync(join(copy, 'tables')).find((name) => name.includes('-organizations.')) as string,
        )
      const change = (file: string, by: (text: string) => string) => writeFileSync(file, by(readFileSync(file, 'utf8')))
      await refuses((copy) => truncateSync(part(copy), 9), /organizations\.copy\.zst is not what was written/)
      await refuses((copy) => rmSync(part(copy)), /organizations\.copy\.zst is missing/)
      await refuses((copy) => rmSync(join(copy, 'manifest.json')), /no manifest\.json/)
      await refuses((copy) => change(join(copy, 'manifest.json'), (text) => text.slice(9)), /is not JSON/)
      await refuses(
        (copy) => change(join(copy, 'manifest.json'), (text) => text.replace('"0000_baseline"', '"9999_later.sql"')),
        /made by a newer version/,
      )
      await refuses((copy) => truncateSync(copy, 20_000), /damaged/, `${good}.tar`)
      const content = (copy: string) => join(copy, 'documents', org, sha256)
      await refuses(
        (copy) => writeFileSync(content(copy), 'something else'),
        new RegExp(`documents/${org}/${sha256} is not what was written`),
      )
      await refuses((copy) => rmSync(content(copy)), /it has 0 contents of documents, and was made with 1/)
      await assert.rejects(
        restoreBackup(target.pool, join(place.folder, 'nothing'), place.restored, place.folder),
        /There is no backup/,
      )
      await assert.rejects(restoreBackup(source.pool, good, place.restored, place.folder), /in use/)
      await assert.rejects(makeBackup(source.pool, good, '0.2.0', place.storage), /already/)
      await restoreBackup(target.pool, `${good}.tar`, place.restored, place.folder)
      assert.deepEqual(await hashesOf(target.pool), await hashesOf(source.pool))
    },
  )

  await t.test(
    'a backup is made by the schedule, noted, and the oldest are deleted, as is what one that was killed left behind',
    async () => {
      const source = await place.migrated('scheduled')
      const directory = join(place.folder, 'scheduled')
      mkdirSync(directory)
      const [killed, elsewhere, own] = [
        'lading-20261101T000000000Z.tar.partial',
        'lading-20261102T000000000Z.tar.partial',
        'mine.tar.partial',
      ]
      for (const name of [killed, elsewhere, own]) writeFileSync(join(directory, name), 'half a backup')
      const yesterday = new Date(Date.now() - 24 * 3_600_000)
      for (const name of [killed, own]) utimesSync(join(directory, name), yesterday, yesterday)
      const { run } = backupJob(source.pool, { directory, everyHours: 24, keep: 2 }, '0.2.0', place.storage)
      const made: string[] = []
      for (let n = 0; n < 3; n++) {
        await run(new AbortController().signal)
        made.push((await lastBackup(source.pool))?.path as string)
      }
      assert.equal(new Set(made).size, 3)
      assert.deepEqual(
        readdirSync(directory).map((name) => join(directory, name)),
        [join(directory, elsewhere), ...made.slice(1), join(directory, own)],
      )
    },
  )

  await t.test(
    'a scheduled backup that cannot be written is a job that failed: the log, the metrics and the doctor say so, and nothing is left',
    async () => {
      const source = await place.migrated('unwritable')
      const directory = join(place.folder, 'no-directory')
      writeFileSync(directory, '')
      const lines: string[] = []
      const note = (_facts: object, message: string) => void lines.push(message)
      const metrics = makeMetrics()
      const job = backupJob(source.pool, { directory, everyHours: 24, keep: 2 }, '0.2.0', place.storage)
      const work = startWork(
        { pool: source.pool, jobs: [job], log: { debug: note, warn: note, error: note }, observe: metrics.observeJob },
        { lookEveryMs: 3_600_000 },
      )
      // The first look began with the start.
      while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      await work.stop()
      assert.deepEqual(lines, ['a background job failed; it runs again in its next period'])
      assert.match(await metrics.text(), /lading_job_runs_total\{job_name="back up",outcome="failure"\} 1/)
      const settings = readSettings({ DATABASE_URL: place.url('unwritable'), BACKUP_DIR: directory })
      const findings = (await examine(settings, jobsOf))
        .filter(({ ok }) => !ok)
        .map(({ what, message }) => `${what}: ${message}`)
      assert.match(String(findings), /background work: "back up" has failed 1 times, .* Nothing can be written at /)
    },
  )

  await t.test(
    'the doctor finds nothing while changes of several organizations are not counted yet, and names one that is wrong',
    async () => {
      const source = await place.migrated('examined')
      const orgs = await Promise.all(
        ['One', 'Two', 'Three'].map(async (name) => {
          const { id } = await createOrganization(source, name)
          await createBill(systemContext(source, id), { currency_id: 'usd' })
          return id
        }),
      )
      const unfolded = await source.pool.transaction(async (run) => {
        await readAllOrganizations(run)
        return run(sql`select distinct org_id from tally_changes`)
      }, oneSnapshot)
      assert.equal(unfolded.length, 3)
      const wrong = async () => {
        const findings = await examine(readSettings({ DATABASE_URL: place.url('examined') }), jobsOf)
        return findings
          .filter(({ ok, what }) => !ok && ['tenancy', 'cluster', 'books', 'objects'].includes(what))
          .map(({ message }) => message)
      }
      assert.deepEqual(await wrong(), [])
      const [, second = ''] = orgs
      await source.transaction(second, (run) => run(sql`delete from tally_changes where org_id = ${second}`))
      const [message = '', ...others] = await wrong()
      assert.match(message, new RegExp(`The tally bill\\.created_at of the organization ${second} counts 1 .*too few`))
      for (const org of orgs) assert.equal(message.includes(org), org === second)
      assert.deepEqual(others, [])
    },
  )
})

type Place = {
  folder: string
  storage: Storage
  restored: Storage
  url(name: string): string
  database(name: string): Promise<Database>
  migrated(name: string): Promise<Database>
}

async function openPlace(t: TestContext): Promise<Place> {
  const server = await startDatabaseServer(t)
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  const admin = connect(server.url(), { max: 1 })
  await admin.run({
    text: 'create role owner login; create role lading_app nologin; grant lading_app to owner',
    values: [],
  })
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  t.after(() => admin.end())
  const url = (name: string) => server.url(name).replace('tester@', 'owner@')
  const make = (name: string, template: string) =>
    admin.run({ text: `create database ${name} template ${template} owner owner`, values: [] })
  const open = (name: string) => {
    const database = openDatabase(connect(url(name), { max: 6 }))
    t.after(() => database.close())
    return database
  }
  await make('with_schema', 'template1')
  const pool = connect(url('with_schema'), { max: 1 })
  await migrate(pool)
  await pool.end()
  return {
    folder,
    // That of a demo in this folder.
    storage: directoryStorage(join(folder, 'documents')),
    restored: directoryStorage(join(folder, 'restored')),
    url,
    database: (name) => make(name, 'template1').then(() => open(name)),
    migrated: (name) => make(name, 'with_schema').then(() => open(name)),
  }
}

async function keptDocument(ctx: Context, { storage, folder }: Place): Promise<Upload> {
  const upload = await receiveUpload(
    Readable.from([Buffer.from('%PDF-1.4 of an organization')]),
    { 'content-type': 'application/pdf' },
    join(folder, 'uploading'),
  )
  await createDocument(ctx, storage, upload, { document_type: 'pod', attached_to: [] })
  return upload
}

async function hashesOf(pool: Pool): Promise<object> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    const hashes: Record<string, object> = {}
    for (const table of await listTables(run)) hashes[table.name] = await summarize(run, table)
    return hashes
  }, oneSnapshot)
}
