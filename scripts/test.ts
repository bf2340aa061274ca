/**
 * All tests: the server's and the browser's side by side, because the one waits for pages while the other computes. What the browser's say is
 * held back until they are done, so that the two do not mix.
 */
import { spawn } from 'node:child_process'

const [server, browser] = await Promise.all([run('test:server', 'inherit'), run('test:browser', 'pipe')])
process.stdout.write(browser.said)
const failed = [server, browser].filter(({ code }) => code !== 0).map(({ script }) => script)
process.stdout.write(failed.length === 0 ? '\nThe server and its pages: all tests pass.\n' : `\nFailed: ${failed.join(', ')}\n`)
process.exit(failed.length)

function run(script: string, output: 'inherit' | 'pipe'): Promise<{ script: string; code: number | null; said: string }> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', output, output] })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  let said = ''
  child.stdout?.on('data', (chunk) => (said += chunk))
  child.stderr?.on('data', (chunk) => (said += chunk))
  return new Promise((done) => child.once('close', (code) => done({ script, code, said })))
}
