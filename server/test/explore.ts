/**
 * Searches with new seeds: runs the tests that try something at random, at full depth, so many times (`npm run explore -- 20`), or the files that are
 * named behind the number. Says of each failure how to repeat it; what was found becomes a test of its own, since `npm test` is the same for everybody.
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [rounds = '10', ...named] = process.argv.slice(2)
if (!/^[1-9]\d{0,5}$/.test(rounds)) {
  process.stderr.write(`How many rounds? "${rounds}" is no whole number above 0: npm run explore -- 20 [files]\n`)
  process.exit(2)
}
const files =
  named.length > 0
    ? named
    : globSync(['src/**/*.test.ts', 'test/**/*.test.ts', '../console/src/**/*.test.ts'], {
        cwd: root,
        exclude: ['test/process/**'],
      }).filter(triesAtRandom)

const found: string[] = []
for (let round = 1; round <= Number(rounds); round++) {
  const seed = randomInt(-(2 ** 31), 2 ** 31)
  const env = { ...process.env, TEST_SEED: String(seed), TEST_DEPTH: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'test/run.ts'), ...files], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  process.stdout.write(`${round} of ${rounds}, TEST_SEED=${seed}: ${status === 0 ? 'well' : 'FAILED'}\n`)
  if (status === 0) continue
  process.stdout.write(`${stdout.split(/^✖ failing tests:$/m)[1] ?? stdout.slice(-4_000)}\n${stderr}\n`)
  found.push(`TEST_SEED=${seed} TEST_DEPTH=1 npm run test:server -- ${files.join(' ')}`)
}
process.stdout.write(found.length === 0 ? 'Nothing was found.\n' : `To repeat what was found:\n${found.join('\n')}\n`)
process.exit(found.length === 0 ? 0 : 1)

function triesAtRandom(file: string): boolean {
  return /\bfc\.(?:assert|sample)\(|\bnumbersFrom\(/.test(readFileSync(join(root, file), 'utf8'))
}
