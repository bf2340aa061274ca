import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { findPostgres } from '../../../scripts/postgres-packages.ts'
import { listTables, summarize } from '../../src/platform/backup/store.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { connect, oneSnapshot, type Pool } from '../../src/platform/db/pool/connect.ts'
import { migrate } from '../../src/platform/db/schema/migrate.ts'
import { readAllOrganizations } from '../../src/platform/db/schema/organizations.ts'
import { partsOf, schemaFaults } from '../../src/platform/db/schema/schema-check.ts'
import { schemaText } from '../../src/platform/db/schema/schema-text.ts'
import { readSettings } from '../../src/settings.ts'
import { makeDemo } from '../../src/tools/demo/demo.ts'
import { deepOnly } from '../depth.ts'
import { testTarget } from '../service.ts'

const target = testTarget()
/** The binaries that Lading brings have neither program: the tests on the PostgreSQL of the machine's packages (npm run test:postgres15) do this. */
const noTools = typeof target !== 'string' && 'the embedded PostgreSQL has no pg_dump'

test(
  'pg_dump and pg_restore, as docs/operating.md says, bring back the schema and every row',
  noTools ? { skip: noTools } : deepOnly,
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'lading-dump-'))
    const admin = connect(target, { max: 1 })
    const names = [`dumped_${newId().replaceAll('-', '')}`, `restored_${newId().replaceAll('-', '')}`] as const
    const urls = names.map((name) => Object.assign(new URL(target), { pathname: `/${name}` }).href) as [string, string]
    for (const name of names) await admin.run({ text: `create database ${name} template template0`, values: [] })
    t.after(async () => {
      for (const name of names) await admin.run({ text: `drop database ${name} with (force)`, values: [] })
      await admin.end()
      rmSync(folder, { recursive: true, force: true })
    })
    const [source, restored] = urls.map((url) => connect(url, { max: 2 })) as [Pool, Pool]
    t.after(() => Promise.all([source.end(), restored.end()]))
    await migrate(source)
    await makeDemo(openDatabase(source), readSettings({ DATA_DIR: folder }))

    const file = join(folder, 'dump')
    run('pg_dump', ['--enable-row-security', '--format=custom', `--file=${file}`, urls[0]], {
      PGOPTIONS: '-c app.all_organizations=on',
    })
    run('pg_restore', ['--exit-on-error', `--dbname=${urls[1]}`, file])

    const text = (pool: Pool) => pool.transaction((run) => schemaText(run))
    assert.deepEqual(sorted(partsOf(await text(restored))), sorted(partsOf(await text(source))))
    assert.deepEqual(await schemaFaults(restored), [])
    assert.deepEqual(await hashesOf(restored), await hashesOf(source))
    await restored.run({ text: 'drop table credits cascade', values: [] })
    assert.match(String(await schemaFaults(restored)), /The table credits is missing\./)
  },
)

function run(program: string, args: string[], env: Record<string, string> = {}): void {
  const folder = dirname(findPostgres()?.postgres ?? '')
  const { status, stderr } = spawnSync(program, args, {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, ...env },
  })
  assert.equal(status, 0, String(stderr))
}

function sorted(parts: Map<string, string>): [string, string][] {
  return [...parts].sort(([one], [other]) => (one < other ? -1 : 1))
}

async function hashesOf(pool: Pool): Promise<object> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    const hashes: Record<string, object> = {}
    for (const table of await listTables(run)) hashes[table.name] = await summarize(run, table)
    return hashes
  }, oneSnapshot)
}
