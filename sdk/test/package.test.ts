/** The package as its users get it: packed, installed into an empty folder, then run by every Node and checked by every TypeScript that it promises. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isDeep } from '../../server/test/depth.ts'
import { run } from './command.ts'
import { exampleIn } from './examples.ts'
import { bring, nodes, typescripts, type Version } from './versions.ts'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lading-sdk-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** At full depth all of them; else those at both ends, and of TypeScript the newest: the others are slow with declarations of megabytes. */
const triedNodes = isDeep ? nodes : [nodes.at(0) as Version, nodes.at(-1) as Version]
const triedTypescripts = isDeep ? typescripts : typescripts.slice(-1)

before(async () => {
  const [tarball] = await Promise.all([pack(), bring([...triedNodes, ...triedTypescripts])])
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }))
  for (const file of ['run.mjs', 'required.cjs', 'required.cts', 'types.ts'])
    copyFileSync(join(sdk, 'test', file), join(folder, file))
  for (const example of ['nightly-sync', 'documents']) writeFileSync(join(folder, `${example}.ts`), exampleIn(example))
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], folder)
})

test('the package holds compiled modules with their declarations, a README and the licence, and no sources', () => {
  const installed = join(folder, 'node_modules/@lading/sdk')
  assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const path of ['.', './sign-in'])
    for (const kind of ['types', 'default'])
      assert.ok(existsSync(join(installed, exports[path][kind])), `${path} ${kind}`)
  for (const name of ['react', 'typescript', 'openapi-typescript', '@lading/server'])
    assert.equal(existsSync(join(folder, 'node_modules', name)), false, name)
})

describe('runs on Node', { concurrency: 2 }, () => {
  for (const { series, program } of triedNodes)
    test(series, async () => {
      assert.ok((await run(program, ['--version'], folder)).startsWith(`v${series}`))
      await run(program, ['run.mjs'], folder)
      assert.equal(await run(program, ['required.cjs'], folder), 'loaded')
    })
})

describe('is understood by TypeScript', { concurrency: 2 }, () => {
  const common = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.iterable',
    'types.ts',
    'nightly-sync.ts',
    'documents.ts',
  ]
  const [oldest, newest] = [typescripts.at(0)?.program, typescripts.at(-1)?.program]
  for (const { series, program } of triedTypescripts)
    test(series, async () => {
      assert.ok(JSON.parse(readFileSync(join(program, '../../package.json'), 'utf8')).version.startsWith(`${series}.`))
      // The declarations themselves are checked at both ends; between them, as most projects do, what is made of them.
      const depth = (isDeep && program === oldest) || program === newest ? [] : ['--skipLibCheck']
      await run(process.execPath, [program, ...common, ...depth, '--module', 'nodenext'], folder)
    })
  test('in CommonJS too', async () => {
    const args = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
      '--skipLibCheck',
      '--module',
      'nodenext',
      'required.cts',
    ]
    await run(process.execPath, [newest as string, ...args], folder)
  })
  test('for bundlers too', async () => {
    await run(
      process.execPath,
      [newest as string, ...common, '--module', 'esnext', '--moduleResolution', 'bundler'],
      folder,
    )
  })
})

async function pack(): Promise<string> {
  const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', folder], sdk))
  return join(folder, packed.filename)
}
