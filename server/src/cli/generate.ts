/** Writes server/openapi.json from the routes; with --check it only says whether the committed one is current. */
import { readFileSync, writeFileSync } from 'node:fs'
import { buildApp } from '../app.ts'
import { makeLog } from '../log.ts'
import { makeMetrics } from '../metrics.ts'
import { readSettings } from '../settings.ts'

const file = new URL('../../openapi.json', import.meta.url)
const settings = { ...readSettings({ LOG_LEVEL: 'silent' }), publicUrl: 'http://127.0.0.1:8080' }
// Describing the API asks nothing of the database.
const app = await buildApp({
  settings,
  database: {} as never,
  authority: {} as never,
  log: makeLog(settings),
  metrics: makeMetrics(),
  draining: { now: false },
})
await app.ready()
const text = `${JSON.stringify((app as unknown as { swagger(): object }).swagger(), null, 2)}\n`
await app.close()

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('server/openapi.json is not what the routes say. Run npm run generate and commit the result.\n')
  process.exitCode = 1
}
