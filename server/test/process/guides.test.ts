import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deepTest } from '../depth.ts'
import { newDataDir, startLading, usedDataDir } from './lading.ts'

const folder = new URL('../../../docs/', import.meta.url)

/** These change the rules of the organization, so the others come before them. */
const last = ['periods-and-voiding.md', 'approvals.md']

const guides = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .sort((one, other) => last.indexOf(one) - last.indexOf(other) || one.localeCompare(other))
  .map((name) => ({ name, blocks: blocksOf(readFileSync(new URL(name, folder), 'utf8')) }))

/** The examples for the shell, without those that need something of the reader's. */
function blocksOf(text: string): string[] {
  const all = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  return all.filter((code) => !code.startsWith('# To adapt: '))
}

/** What a refusal is expected for: `api /objects/$ID -X DELETE    # 409: …`. */
function expectedIn(code: string): string[] {
  return [...code.matchAll(/# ([45]\d\d)\b/g)].map(([, status = '']) => status)
}

deepTest('every example of the guides works as it stands on the demo, in the order of its guide', async (t) => {
  const server = startLading(t, newDataDir(t, await usedDataDir(t)))
  const url = await server.ready()
  const place = mkdtempSync(join(tmpdir(), 'lading-guides-'))
  t.after(() => rmSync(place, { recursive: true, force: true }))
  const addressed = (code: string) =>
    code
      .replaceAll('{token_url}', `${url}/oauth2/token`)
      .replaceAll('{base_url}', url)
      .replaceAll('{network_url}', url)
      .replaceAll('{auth_url}', url)
  const first = guides.find(({ name }) => name === 'oauth.md')?.blocks[0]
  assert.ok(first?.includes('TOKEN='), 'the guide on OAuth begins with what the others need')
  // Every answer of curl is noted with its status, which curl itself says nothing of.
  const noting = `curl() { command curl -w '%{stderr}\\nanswered %{http_code} %{method} %{url}\\n' "$@"; }`

  for (const { name, blocks } of guides.filter(({ blocks }) => blocks.length > 0)) {
    await t.test(name, async () => {
      for (const code of blocks)
        assert.doesNotMatch(
          code,
          /<access.?token>|Bearer …|01932b5e-/i,
          'an example has nothing in it to replace by hand',
        )
      const script = ['set -eu -o pipefail', noting, ...(name === 'oauth.md' ? [] : [first as string]), ...blocks]
        .map(addressed)
        .join('\n')
      const { code, stderr } = await bash(script, { cwd: place, env: { ...process.env, DATA_DIR: server.dataDir } })
      const refused = [...stderr.matchAll(/^answered ([045]\d\d) (.*)$/gm)]
      assert.equal(code, 0, stderr)
      assert.deepEqual(
        refused.map(([, status]) => status),
        blocks.flatMap(expectedIn),
        refused.map(([line]) => line).join('\n'),
      )
    })
  }
})

function bash(
  script: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ code: number | null; stderr: string }> {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...own } = env
  const child = spawn('bash', ['-c', script], { cwd, env: own, stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  return new Promise((done) => child.once('close', (code) => done({ code, stderr })))
}
