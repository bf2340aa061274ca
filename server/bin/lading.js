#!/usr/bin/env node
// Plain JavaScript on purpose: it must run on whatever Node is at hand, to hand over to the one the project pins.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 7)) {
  const { main } = await import('../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  handOver()
}

function handOver() {
  let pinned
  try {
    pinned = createRequire(import.meta.url).resolve('node/bin/node')
  } catch {
    process.stderr.write(`lading: Node ${process.versions.node} is too old and the pinned one is not installed. Run npm ci, or use Node 24.7 or newer.\n`)
    process.exit(1)
  }
  const { status, signal } = spawnSync(pinned, [process.argv[1], ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit(status ?? (signal ? 1 : 0))
}
