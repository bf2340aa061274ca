/**
 * Runs scripts of package.json side by side, because the one waits while the other computes. What each says is held back until it is done; what a
 * script that failed says comes after all others, where it is found at once. Scripts behind `--in-the-gaps` have a lower priority: they take what the
 * others leave of the processors, and so make them no slower.
 */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

type Ended = { script: string; code: number | null; seconds: number; said: string }

const [first, inTheGaps] = divided(process.argv.slice(2))
const scripts = [...first, ...inTheGaps]
const began = Date.now()
const ended = await Promise.all([
  ...first.map((script) => run(script)),
  ...inTheGaps.map((script) => run(script, constants.priority.PRIORITY_LOW)),
])
const failed = ended.filter(({ code }) => code !== 0)
for (const { script, code, seconds, said } of failed)
  process.stdout.write(`\n## ${script}: exit code ${code} after ${seconds} s\n${said}`)
for (const { script, said } of failed) process.stdout.write(`\n## What failed of ${script}\n${failuresIn(said)}\n`)
process.stdout.write(
  failed.length === 0
    ? `\nAll is well with ${scripts.join(', ')}.\n`
    : `\nFailed: ${failed.map(({ script }) => script).join(', ')}\n`,
)
process.exit(failed.length === 0 ? 0 : 1)

function divided(words: string[]): [string[], string[]] {
  const place = words.indexOf('--in-the-gaps')
  return place < 0 ? [words, []] : [words.slice(0, place), words.slice(place + 1)]
}

function run(script: string, priority?: number): Promise<Ended> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  return new Promise((done) =>
    child.once('close', (code) => {
      const seconds = Math.round((Date.now() - began) / 1000)
      if (code === 0) process.stdout.write(`\n## ${script}: well after ${seconds} s\n${said}`)
      done({ script, code, seconds, said })
    }),
  )
}

/** What node's runner repeats at its end of each test that failed, with the error; or the last words of a script that runs no tests. */
function failuresIn(said: string): string {
  const [, ...lists] = said
    .split(/^✖ failing tests:\n/m)
    .map((part) => (part.split(/^(?:▶|✔|# |## )/m)[0] ?? '').slice(0, 20_000).trimEnd())
  return lists.length > 0 ? lists.join('\n') : said.slice(-4_000).trimEnd()
}
