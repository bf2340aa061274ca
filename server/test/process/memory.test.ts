import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, newDataDir, startLading, usedDataDir } from './lading.ts'

const skip = process.platform === 'linux' ? false : 'reads the memory of a process from /proc'

test('a server that waits for requests takes at most 160 MB, and the page of the API reference does not stay in it', { skip }, async (t) => {
  const { pid, ready } = startLading(t, newDataDir(t, await usedDataDir(t as TestContext)))
  const url = await ready()
  await sleep(2_000)
  const idle = residentMb(pid)
  assert.ok(idle <= 160, `it takes ${idle} MB`)

  const page = await call(`${url}/docs/`)
  const script = /<script src="([^"]+)"/.exec(page.body)?.[1]
  assert.equal((await call(`${url}/docs/${script}`)).status, 200)
  const after = residentMb(pid)
  assert.ok(after <= idle + 50, `it took ${idle} MB, and takes ${after} MB since the reference was asked for`)
})

function residentMb(pid: number): number {
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000)
}
