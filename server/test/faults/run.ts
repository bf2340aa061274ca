/**
 * The fault suite: `npm run faults`, or `npm run faults -- kills clock` for some of it. Breaks the real program and its database on purpose, on
 * this machine only, and says at the end what was seen. docs/operating.md says what is promised.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from './backup.ts'
import { clock } from './clock.ts'
import { cluster } from './cluster.ts'
import { connections } from './connections.ts'
import { disk } from './disk.ts'
import { failover } from './failover.ts'
import { kills } from './kills.ts'
import { neighbours } from './neighbours.ts'
import { leaveAll, type Result } from './place.ts'
import { pointInTime } from './point-in-time.ts'
import { restarts } from './restarts.ts'
import { webhooks } from './webhooks.ts'

type Scenario = () => Promise<Result>
type Row = Result & { seconds: number }

const scenarios: Record<string, Scenario> = {
  kills,
  connections,
  disk,
  failover,
  clock,
  restarts,
  neighbours,
  webhooks,
  backup,
  'point-in-time': pointInTime,
  cluster,
}

/** No scenario takes a third of this; one that hangs does not take the others with it. */
const longestMs = 10 * 60_000
const faultsShown = 5

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !scenarios[name])
if (unknown.length > 0) {
  process.stderr.write(`There is no scenario ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}.\n`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'lading-faults-'))
// PostgreSQL may have to enter as another user.
chmodSync(folder, 0o711)
Object.assign(process.env, { TMPDIR: folder, LADING_TEST_SHARED: folder })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void leave(130))

const rows: Row[] = []
for (const name of asked.length > 0 ? asked : Object.keys(scenarios)) {
  process.stdout.write(`${name} …\n`)
  const row = await runOne(name, scenarios[name] as Scenario)
  rows.push(row)
  process.stdout.write(`${table([row])}\n`)
}
process.stdout.write(`\n${summary(rows)}\n`)
await leave(rows.some(({ faults }) => faults.length > 0) ? 1 : 0)

async function runOne(name: string, scenario: Scenario): Promise<Row> {
  const since = performance.now()
  const tooLong = new Promise<Result>((done) =>
    setTimeout(done, longestMs, { name, figures: {}, faults: [`It was given up after ${longestMs / 60_000} minutes.`] }).unref(),
  )
  const failed = (error: Error): Result => ({ name, figures: {}, faults: [`It could not be carried out: ${error.stack}`] })
  const result = await Promise.race([scenario().catch(failed), tooLong])
  await leaveAll()
  return { ...result, seconds: Math.round((performance.now() - since) / 1000) }
}

async function leave(code: number): Promise<never> {
  await leaveAll()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}

/** A line for each figure and for the first faults. */
function table(rows: readonly Row[]): string {
  return rows
    .map(({ figures, faults, seconds }) => {
      const lines = Object.entries({ ...figures, seconds }).map(([what, value]) => `  ${what.padEnd(50)} ${value}`)
      const shown = faults.slice(0, faultsShown).map((fault) => `  ✗ ${fault}`)
      const more = faults.length > faultsShown ? [`  ✗ and ${faults.length - faultsShown} more`] : []
      return [...lines, ...shown, ...more].join('\n')
    })
    .join('\n')
}

function summary(rows: readonly Row[]): string {
  const columns = ['acknowledged', 'unknown', '503', 'slowest answer']
  const cells = rows.map(({ name, figures, faults, seconds }) => {
    const verdict = figures.skipped ? `skipped: ${figures.skipped}` : faults.length === 0 ? 'as promised' : `${faults.length} faults`
    return [name, `${seconds} s`, ...columns.map((column) => String(figures[column] ?? '')), verdict]
  })
  const lines = [['scenario', 'time', ...columns, 'result'], ...cells]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  const text = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const minutes = Math.ceil(rows.reduce((sum, row) => sum + row.seconds, 0) / 60)
  return [text[0], rule, ...text.slice(1), `${minutes} minutes in all.`].join('\n')
}
