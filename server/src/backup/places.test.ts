import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isLeftBehind, openTarget } from './places.ts'

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
  await target.finish()
  assert.deepEqual(readdirSync(directory), ['one.tar'])
})
