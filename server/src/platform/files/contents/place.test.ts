import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newCaller, openService } from '../../../../test/service.ts'
import { directoryStorage } from '../storage/directory.ts'
import { documentsState, unseenDocuments } from './place.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'lading-place-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))
const service = await openService({ DATA_DIR: dataDir })
const caller = await newCaller(service)
const kept = await caller.call('POST', '/api/v1/documents', 'a document', { 'content-type': 'text/plain' })
assert.equal(kept.statusCode, 201, kept.body)
const { pool } = service
const at = (path: string, minimumFreeDiskMb = 0) =>
  documentsState(pool, { documents: { kind: 'directory', path }, minimumFreeDiskMb })

test('a directory of documents says how much room it has, and one that is full can still be read from', async () => {
  const path = join(dataDir, 'documents')
  const { ok, freeBytes } = await at(path)
  assert.deepEqual([ok, (freeBytes ?? 0) > 0], [true, true])
  const full = await at(path, 999_999_999)
  assert.deepEqual([full.ok, full.partly], [false, true])
  const answer = await (
    await openService({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://elsewhere/x', MINIMUM_FREE_DISK_MB: '999999999' })
  ).app.inject('/health/ready')
  assert.deepEqual([answer.statusCode, answer.json().checks.documents_disk.ok], [200, false], answer.body)
})

test('a disk that is not mounted is noticed where documents are known: not ready, and the start says so', async () => {
  const empty = join(dataDir, 'not-mounted')
  mkdirSync(join(empty, 'uploading'), { recursive: true })
  writeFileSync(join(dataDir, 'file'), '')
  for (const path of [empty, join(dataDir, 'nowhere')])
    assert.match((await at(path)).message, /is empty or not there, and documents are known: is its disk mounted\.$/)
  assert.equal((await at(join(dataDir, 'file'))).message, 'The directory of documents cannot be read.')
  const away = await openService({ DATA_DIR: dataDir, DOCUMENTS_URL: `file://${empty}` })
  const answer = await away.app.inject('/health/ready')
  assert.deepEqual([answer.statusCode, answer.json().checks.documents_disk.ok], [503, false], answer.body)
  assert.match(
    await unseenDocuments(pool, directoryStorage(empty)),
    /^\d+ of \d+ files of documents that were looked for are not in .* Machines that share a database share/,
  )
})
