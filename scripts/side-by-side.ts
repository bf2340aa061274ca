/** Runs scripts of package.json side by side, because the one waits while the other computes. What each says is held back until it is done. */
import { spawn } from 'node:child_process'

const scripts = process.argv.slice(2)
const began = Date.now()
const failed = (await Promise.all(scripts.map(run))).flatMap(({ script, code }) => (code === 0 ? [] : [script]))
process.stdout.write(failed.length === 0 ? `\nAll is well with ${scripts.join(', ')}.\n` : `\nFailed: ${failed.join(', ')}\n`)
process.exit(failed.length === 0 ? 0 : 1)

function run(script: string): Promise<{ script: string; code: number | null }> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  return new Promise((done) =>
    child.once('close', (code) => {
      process.stdout.write(`\n## ${script}: ${code === 0 ? 'well' : `exit code ${code}`} after ${Math.round((Date.now() - began) / 1000)} s\n${said}`)
      done({ script, code })
    }),
  )
}
