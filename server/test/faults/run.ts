/**
 * The fault suite: `npm run faults`, or `npm run faults -- kills clock` for some of it. Breaks the real program and its database on purpose, on
 * this machine only, and says at the end what was seen. docs/operating.md says what is promised.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usedDataDir } from '../process/lading.ts'
import { backup } from './backup.ts'
import { backupDirectory } from './backup-directory.ts'
import { bankKeys } from './bank-keys.ts'
import { clock } from './clock.ts'
import { cluster } from './cluster.ts'
import { connections } from './connections.ts'
import { disk } from './disk.ts'
import { documents } from './documents.ts'
import { failover } from './failover.ts'
import { kills } from './kills.ts'
import { mails } from './mails.ts'
import { neighbours } from './neighbours.ts'
import { papers } from './papers.ts'
import { inPlace, leaveAll, type Result } from './place.ts'
import { pointInTime } from './point-in-time.ts'
import { restarts } from './restarts.ts'
import { syncs } from './syncs.ts'
import { webhooks } from './webhooks.ts'

type Scenario = () => Promise<Result>
type Row = Result & { seconds: number }

/** Each with its share of the half hour, in minutes. What one leaves of its share is for those after it; one that is asked for by its name has more. */
const scenarios: Record<string, { scenario: Scenario; minutes: number }> = {
  mails: { scenario: mails, minutes: 2 },
  syncs: { scenario: syncs, minutes: 1.5 },
  papers: { scenario: papers, minutes: 1.5 },
  documents: { scenario: documents, minutes: 2 },
  'backup-directory': { scenario: backupDirectory, minutes: 1.5 },
  'bank-keys': { scenario: bankKeys, minutes: 1 },
  kills: { scenario: kills, minutes: 2.5 },
  connections: { scenario: connections, minutes: 2 },
  disk: { scenario: disk, minutes: 2 },
  failover: { scenario: failover, minutes: 1.5 },
  clock: { scenario: clock, minutes: 3 },
  restarts: { scenario: restarts, minutes: 2 },
  neighbours: { scenario: neighbours, minutes: 1.5 },
  backup: { scenario: backup, minutes: 1.5 },
  'point-in-time': { scenario: pointInTime, minutes: 1 },
  cluster: { scenario: cluster, minutes: 0.5 },
  webhooks: { scenario: webhooks, minutes: 2.5 },
}

const faultsShown = 5
const longestByNameMs = 10 * 60_000

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

await inPlace(usedDataDir)

const rows: Row[] = []
let allowedMs = 0
for (const name of asked.length > 0 ? asked : Object.keys(scenarios)) {
  process.stdout.write(`${name} …\n`)
  const { scenario, minutes } = scenarios[name] as (typeof scenarios)[string]
  allowedMs += minutes * 60_000
  const row = await runOne(name, scenario, asked.length > 0 ? longestByNameMs : allowedMs)
  allowedMs = Math.max(allowedMs - row.seconds * 1000, 0)
  rows.push(row)
  process.stdout.write(`${table([row])}\n`)
}
process.stdout.write(`\n${summary(rows)}\n`)
await leave(rows.some(({ faults }) => faults.length > 0) ? 1 : 0)

/** One that hangs, or a machine that has much else to do, does not take the time of the others. */
async function runOne(name: string, scenario: Scenario, longestMs: number): Promise<Row> {
  const since = performance.now()
  const tooLong = new Promise<Result>((done) =>
    setTimeout(done, longestMs, {
      name,
      figures: {},
      faults: [`It was given up after ${(longestMs / 60_000).toFixed(1)} minutes.`],
    }).unref(),
  )
  const failed = (error: Error): Result => ({
    name,
    figures: {},
    faults: [`It could not be carried out: ${error.stack}`],
  })
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
    const verdict = figures.skipped
      ? `skipped: ${figures.skipped}`
      : faults.length === 0
        ? 'as promised'
        : `${faults.length} faults`
    return [name, `${seconds} s`, ...columns.map((column) => String(figures[column] ?? '')), verdict]
  })
  const lines = [['scenario', 'time', ...columns, 'result'], ...cells]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  const text = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const minutes = Math.ceil(rows.reduce((sum, row) => sum + row.seconds, 0) / 60)
  return [text[0], rule, ...text.slice(1), `${minutes} minutes in all.`].join('\n')
}
