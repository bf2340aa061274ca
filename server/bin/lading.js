#!/usr/bin/env node
// Plain JavaScript on purpose: it must run on whatever Node is at hand, to hand over to the one the project pins.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 24 || (major === 24 && minor < 7)) handOver()
else await run()

async function run() {
  // Loading is most of a start: what was compiled once is kept, where it can be. The variable says the same to threads and other processes of ours.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  const { main } = await import('../src/main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

function handOver() {
  let pinned
  try {
    pinned = createRequire(import.meta.url).resolve('node/bin/node')
  } catch {
    process.stderr.write(
      `lading: Node ${process.versions.node} is too old and the pinned one is not installed. Run npm ci, or use Node 24.7 or newer.\n`,
    )
    process.exit(1)
  }
  const child = spawn(pinned, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  // Whoever ends this process means the one that does the work.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (status) => process.exit(status ?? 1))
}
