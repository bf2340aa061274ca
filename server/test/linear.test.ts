import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

test('what others send is read in time that grows with its length, whatever stands in it', async () => {
  const program = fileURLToPath(new URL('./linear-program.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--single-threaded-gc', program])
  assert.deepEqual(JSON.parse(stdout), [])
})
