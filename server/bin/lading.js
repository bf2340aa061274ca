#!/usr/bin/env node
// Plain JavaScript on purpose: it must run on whatever Node is at hand, to hand over to the one the project pins.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const isStart = process.argv[2] === 'start'
// Not a worker, nor anything else that a parent process has a channel to: the channel would be lost.
const canBeginAgain = isStart && process.execve !== undefined && !process.connected

// For a server under load: a full collection of garbage only when the heap has grown by four fifths. The room for what is young grows to 8 MB and may
// shrink again. `gc` is for giving memory back when nothing is asked for a while, in src/platform/observe/idle-memory.ts.
const heap = ['--min-semi-space-size=1', '--max-semi-space-size=8', '--heap-growing-percent=80', '--expose-gc']
// glibc keeps what is freed, in a place for each thread, in pieces that stay in use by what lies between them. In one place, and with what is large
// asked from the system and given back to it, little stays: the hash of a password is 19 MB, and an answer may be one.
const environment = {
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '1',
  ...process.env,
}

if (major < 24 || (major === 24 && minor < 7)) handOver()
else if (canBeginAgain && !process.execArgv.includes(heap[0])) startAs(environment)
else await run()

/** Only a new process takes such flags. It takes the place of this one, with its pid; where that is not possible, as on Windows, there are none. */
function startAs(env) {
  process.execve(
    process.execPath,
    [process.execPath, ...heap, ...process.execArgv.filter((flag) => !heap.includes(flag)), ...process.argv.slice(1)],
    env,
  )
}

async function run() {
  // Loading is most of a start: what was compiled once is kept, where it can be. The variable says the same to threads and other processes of ours.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  const { main } = await import('../src/main.ts')
  if (canBeginAgain && !process.env.LADING_COMPILED) await beginCompiled()
  process.exitCode = await main(process.argv.slice(2))
}

/**
 * The first start of a version strips the types of its sources. What does that would stay in memory, 20 MB of it, so we begin again without it. All that
 * a server needs is loaded before we look: another process may have kept a part of it already.
 */
async function beginCompiled() {
  await Promise.all([import('../src/start.ts'), import('../src/serve.ts')])
  if (!hasStripped()) return
  module.flushCompileCache()
  startAs({ ...process.env, LADING_COMPILED: 'yes' })
}

function hasStripped() {
  return process.moduleLoadList?.some((name) => name.includes('/amaro/')) ?? false
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
  const flags = isStart ? [...heap, ...process.execArgv] : process.execArgv
  const child = spawn(pinned, [...flags, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: isStart ? environment : process.env,
  })
  // Whoever ends this process means the one that does the work.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (status) => process.exit(status ?? 1))
}
