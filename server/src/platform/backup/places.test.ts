import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isLeftBehind, openTarget, tarTarget } from './places.ts'

test('a backup that is being written is not taken for one that was left behind, also while nothing is written to it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'lading-backup-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'one.tar')
  const target = await openTarget(path, 5)
  await target.put('a', Buffer.from('a'))
  const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
  while (!existsSync(`${path}.partial`)) await soon()
  const yesterday = new Date(Date.now() - 24 * 3_600_000)
  utimesSync(`${path}.partial`, yesterday, yesterday)
  while (await isLeftBehind(`${path}.partial`)) await soon()
  await target.finish(async () => {})
  assert.deepEqual(readdirSync(directory), ['one.tar'])
})

test('a place that cannot be written to is refused, and no error is left that would end the process', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'lading-backup-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'file'), '')
  for (const name of [
    join(directory, 'file', 'one.tar'),
    join(directory, 'file', 'one'),
    join(directory, `${'a'.repeat(249)}.tar`),
  ])
    await assert.rejects(openTarget(name), /Nothing can be written at .*(ENOTDIR|ENAMETOOLONG|EEXIST)/)
  assert.deepEqual(readdirSync(directory), ['file'])
})

test('a disk that becomes full while a backup is written refuses it, and no error is left that would end the process', {
  skip: !existsSync('/dev/full') && 'this machine has no /dev/full',
}, async () => {
  const target = await tarTarget('/dev/full')
  const writing = async () => {
    for (let n = 0; n < 50; n++) await target.put(`part ${n}`, Buffer.alloc(2 ** 16))
  }
  await assert.rejects(writing(), /ENOSPC/)
  await assert.rejects(target.put('another', Buffer.alloc(9)), /ENOSPC/)
  await assert.rejects(target.finish(), /ENOSPC/)
  await target.abandon()
})

test('what is found damaged when it is read back is not there under its name', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'lading-backup-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const target = await openTarget(join(directory, 'one.tar'))
  await target.put('a', Buffer.from('a'))
  await assert.rejects(
    target.finish(async () => {
      throw new Error('damaged')
    }),
    /damaged/,
  )
  assert.deepEqual(readdirSync(directory), ['one.tar.partial'])
  await target.abandon()
  assert.deepEqual(readdirSync(directory), [])
})
