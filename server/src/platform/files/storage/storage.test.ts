import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import S3rver from 's3rver'
import { newCaller, openService } from '../../../../test/service.ts'
import { readSettings } from '../../../settings.ts'
import { newId } from '../../core/values/ids.ts'
import { deleteUnheld } from '../cleaning.ts'
import { openStorage } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'lading-storage-'))
/** A server of the protocol. It checks whose key signs a request, and leaves signatures of version 4 to the tests of the library that makes them. */
const server = new S3rver({
  port: 0,
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'papers' }],
})
const { port } = await server.run()
after(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const keys = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
const bucket = { ...keys, DOCUMENTS_URL: `s3://papers/of/lading?endpoint=http://127.0.0.1:${port}` }

const content = (text: string) => {
  const bytes = Buffer.from(text)
  const path = join(folder, newId())
  writeFileSync(path, bytes)
  return { bytes, path, sha256: createHash('sha256').update(bytes).digest('hex') }
}

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

for (const [name, env] of [
  ['a directory', { DATA_DIR: join(folder, 'data') }],
  ['a bucket of S3', bucket],
] as const) {
  test(`${name} keeps what it is given, whole or in parts, lists it, and forgets it`, async () => {
    const storage = openStorage(readSettings(env))
    const org = newId()
    const [one, other] = [content('%PDF one'), content('%PDF other')]
    const key = { org, sha256: one.sha256 }
    assert.equal(await storage.sizeOf(key), null)
    for (let time = 0; time < 2; time += 1) await storage.put(key, one.path, one.bytes.length)
    await storage.put({ org, sha256: other.sha256 }, other.path, other.bytes.length)
    assert.equal(await storage.sizeOf(key), one.bytes.length)
    assert.deepEqual(await bytesOf(await storage.read(key)), one.bytes)
    assert.deepEqual(await bytesOf(await storage.read(key, { first: 1, last: 3 })), one.bytes.subarray(1, 4))
    const listed = await Array.fromAsync(storage.list())
    assert.deepEqual(
      listed.map(({ sha256, size }) => [sha256, size]).sort(),
      [one, other].map(({ sha256, bytes }) => [sha256, bytes.length]).sort(),
    )
    for (let time = 0; time < 2; time += 1) await storage.remove(key)
    assert.equal(await storage.sizeOf(key), null)
    await assert.rejects(storage.read(key), { code: 'unavailable' })
  })
}

describe('a service with a bucket', async () => {
  const service = await openService(bucket)

  test('keeps documents in it, and removes them from it', async () => {
    const caller = await newCaller(service)
    const { bytes, sha256 } = content(`%PDF-1.4 ${newId()}`)
    const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/pdf' }
    const sent = await service.app.inject({ method: 'POST', url: '/api/v1/documents', headers, payload: bytes })
    assert.equal(sent.statusCode, 201, sent.body)
    const url = `/api/v1/documents/${sent.json().document.id}`
    assert.deepEqual((await caller.get(`${url}/content`)).rawPayload, bytes)
    assert.deepEqual((await caller.get(`${url}/content`, { range: 'bytes=5-7' })).rawPayload, bytes.subarray(5, 8))
    const storage = openStorage(service.settings)
    const key = { org: caller.org, sha256 }
    assert.equal(await storage.sizeOf(key), bytes.length)
    await caller.call('DELETE', url)
    await deleteUnheld(service.database, storage, undefined, { unattached: 24 * 3600, content: 0 })
    assert.equal(await storage.sizeOf(key), null)
  })
})

test('a bucket that cannot be used is a 503, and nothing is kept', async () => {
  const service = await openService({ ...bucket, S3_ACCESS_KEY_ID: 'unknown-key' })
  const caller = await newCaller(service)
  const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/pdf' }
  const sent = await service.app.inject({ method: 'POST', url: '/api/v1/documents', headers, payload: '%PDF-1.4' })
  assert.deepEqual([sent.statusCode, sent.json().error_code], [503, 'unavailable'])
  // Where the page of the code stands is no secret; where the bucket is, is.
  assert.doesNotMatch(sent.json().error_message, /unknown-key|127\.0\.0\.1/)
  assert.equal((await caller.get('/api/v1/documents')).json().total, 0)
})
