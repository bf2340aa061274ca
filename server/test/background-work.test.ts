import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { newId } from '../src/platform/core/values/ids.ts'
import { connect } from '../src/platform/db/pool/connect.ts'
import { sql } from '../src/platform/db/sql/sql.ts'
import { makeMetrics } from '../src/platform/observe/metrics.ts'
import type { Job } from '../src/platform/work/job.ts'
import { ownJob } from '../src/platform/work/own-jobs.ts'
import { startWork } from '../src/platform/work/scheduler.ts'
import { insertJobs, takeDueJobs } from '../src/platform/work/store.ts'
import { testTarget } from './service.ts'

const pool = connect(testTarget(), { max: 8, name: 'lading test of background work' })
const names: string[] = []
after(async () => {
  await pool.run(sql`delete from background_jobs where name = any(${names})`)
  await pool.end()
})

type Line = { level: string; facts: Record<string, unknown>; message: string }

/** A process as far as the work is concerned: it looks when it is told to, and its timers wait for an hour unless said otherwise. */
function newProcess(jobs: Job[], times: Parameters<typeof startWork>[1] = {}) {
  const lines: Line[] = []
  const note = (level: string) => (facts: object, message: string) =>
    void lines.push({ level, facts: facts as Line['facts'], message })
  const metrics = makeMetrics()
  const log = { debug: note('debug'), warn: note('warn'), error: note('error') }
  const work = startWork({ pool, jobs, log, observe: metrics.observeJob }, { lookEveryMs: 3_600_000, ...times })
  after(() => work.stop())
  return { ...work, lines, metrics }
}

function newJob(run: Job['run'], more: Partial<Job> = {}): Job {
  const name = `test ${newId()}`
  names.push(name)
  return { name, everySeconds: 3600, runsOn: 'one process', run, ...more }
}

/** The database's clock is what counts, so this is an hour that passes. */
async function letAnHourPass({ name }: Job): Promise<void> {
  const [before] = await pool.run<Record<string, Date | null>>(sql`
    select due_at - interval '1 hour' as due_at, started_at - interval '1 hour' as started_at, leased_until - interval '1 hour' as leased_until
    from background_jobs where name = ${name}`)
  await pool.run(sql`
    update background_jobs set due_at = ${before?.due_at ?? null}, started_at = ${before?.started_at ?? null}, leased_until = ${before?.leased_until ?? null}
    where name = ${name}`)
}

async function rowOf({ name }: Job) {
  const [row] = await pool.run<{ runner: string; leased_until: Date; [column: string]: unknown }>(
    sql`select * from background_jobs where name = ${name}`,
  )
  assert.ok(row)
  return row
}

test('of many processes that look at the same moment one runs a job, once in a period and never twice at the same time', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const job = newJob(async () => {
    runs += 1
    most = Math.max(most, ++running)
    await pool.run(sql`select pg_sleep(0.02)`)
    running -= 1
  })
  const processes = Array.from({ length: 6 }, () => newProcess([job]))
  const allLook = () => Promise.all([...processes, ...processes].map(({ look }) => look()))
  for (const period of [1, 2, 3]) {
    await allLook()
    await allLook()
    // The first look of a process, at its start, may have the job, and be at it still.
    while ((await rowOf(job)).runner !== null) await pool.run(sql`select pg_sleep(0.01)`)
    assert.deepEqual({ runs, most }, { runs: period, most: 1 })
    await letAnHourPass(job)
  }
})

test('a job that takes longer than its lease keeps it by renewing it', async () => {
  const done = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const job = newJob((signal) => {
    started.resolve()
    signal.addEventListener('abort', () => done.reject(signal.reason))
    return done.promise
  })
  let others = 0
  const leaseMs = 4_000
  newProcess([job], { leaseMs })
  await started.promise
  const other = newProcess([{ ...job, run: async () => others++ }])
  const first = (await rowOf(job)).leased_until
  while ((await rowOf(job)).leased_until.getTime() < first.getTime() + 2 * leaseMs) {
    await other.look()
    await pool.run(sql`select pg_sleep(0.02)`)
  }
  done.resolve()
  assert.equal(others, 0)
})

test('a job that nobody knew is due at once, however soon it is asked for', async () => {
  for (let n = 0; n < 20; n++) {
    const job = newJob(async () => {})
    // Both are sent together, so that no time passes between them.
    const [, taken] = await pool.transaction((run) => {
      const one = { ...pool, run }
      return Promise.all([insertJobs(one, [job.name]), takeDueJobs(one, [job], 'test', 1_000)])
    })
    assert.equal(taken.length, 1)
  }
})

test('a job whose process was killed in the middle is run by another once the lease has passed, and not before', async () => {
  const job = newJob(async () => {})
  const code = `
    import { connect } from '${import.meta.resolve('../src/platform/db/pool/connect.ts')}'
    import { startWork } from '${import.meta.resolve('../src/platform/work/scheduler.ts')}'
    const pool = connect(JSON.parse(process.env.LADING_TEST_DATABASE), { max: 2 })
    const log = { debug() {}, warn() {}, error() {} }
    const run = () => { process.stdout.write('running'); return new Promise(() => setInterval(() => {}, 1000)) }
    startWork({ pool, jobs: [{ name: ${JSON.stringify(job.name)}, everySeconds: 3600, runsOn: 'one process', run }], log, observe() {} })`
  const victim = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(victim.stdout, 'data')
  victim.kill('SIGKILL')
  await once(victim, 'exit')

  let runs = 0
  const survivor = newProcess([{ ...job, run: async () => runs++ }])
  await survivor.look()
  assert.equal(runs, 0)
  assert.match((await rowOf(job)).runner, new RegExp(` ${victim.pid} `))
  await letAnHourPass(job)
  await survivor.look()
  assert.equal(runs, 1)
  assert.match(
    String(survivor.lines.find(({ level }) => level === 'warn')?.facts.abandoned_by),
    new RegExp(` ${victim.pid} `),
  )
})

test('a process that loses its lease is told so, and its outcome does not replace that of the process that has the job now', async () => {
  const started = Promise.withResolvers<void>()
  const job = newJob(async (signal) => {
    started.resolve()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const slow = newProcess([job], { leaseMs: 300 })
  await started.promise
  await pool.run(
    sql`update background_jobs set runner = 'another', leased_until = now() + interval '1 hour' where name = ${job.name}`,
  )
  while (!slow.lines.some(({ level }) => level === 'error')) await pool.run(sql`select pg_sleep(0.02)`)
  const { runner, failures } = await rowOf(job)
  assert.deepEqual({ runner, failures }, { runner: 'another', failures: 0 })
})

test('a job that fails shows its error in the table, the log and the metrics, and runs again in its next period', async () => {
  let broken = true
  const job = newJob(async () => {
    if (broken) throw new Error('the carrier does not answer')
  })
  const { look, lines, metrics } = newProcess([job])
  await look()
  while ((await rowOf(job)).failures === 0) await look()
  assert.equal((await rowOf(job)).error, 'the carrier does not answer')
  assert.equal(
    (lines.find(({ level }) => level === 'error')?.facts.err as Error | undefined)?.message,
    'the carrier does not answer',
  )
  assert.match(
    await metrics.text(),
    new RegExp(`lading_job_runs_total\\{job_name="${job.name}",outcome="failure"\\} 1`),
  )

  await look()
  assert.equal((await rowOf(job)).failures, 1)
  await letAnHourPass(job)
  await look()
  assert.equal((await rowOf(job)).failures, 2)

  broken = false
  await letAnHourPass(job)
  await look()
  const { failures, error, succeeded_at } = await rowOf(job)
  assert.deepEqual(
    { failures, error, succeeded: succeeded_at !== null },
    { failures: 0, error: 'the carrier does not answer', succeeded: true },
  )
  assert.match(
    await metrics.text(),
    new RegExp(`lading_job_last_success_timestamp_seconds\\{job_name="${job.name}"\\} \\d`),
  )
})

test('a stop tells the job, waits for it, gives it back for another process to run at once, and starts nothing more', async () => {
  const started = Promise.withResolvers<void>()
  let ended = false
  const job = newJob(async (signal) => {
    started.resolve()
    await new Promise((done) => signal.addEventListener('abort', done))
    await pool.run(sql`select pg_sleep(0.05)`)
    ended = true
    signal.throwIfAborted()
  })
  const first = newProcess([job])
  await started.promise
  await first.stop()
  assert.ok(ended)
  const { runner, failures } = await rowOf(job)
  assert.deepEqual({ runner, failures }, { runner: null, failures: 0 })
  await first.look()
  assert.equal((await rowOf(job)).runner, null)
  let runs = 0
  await newProcess([{ ...job, run: async () => runs++ }]).look()
  while (runs === 0) await pool.run(sql`select pg_sleep(0.01)`)
})

test('a stop does not wait for ever for a job that does not listen', async () => {
  const started = Promise.withResolvers<void>()
  const job = newJob(() => {
    started.resolve()
    return new Promise(() => {})
  })
  const deaf = newProcess([job], { stopWithinMs: 20 })
  await started.promise
  await deaf.stop()
  assert.deepEqual(deaf.lines.find(({ level }) => level === 'warn')?.facts.jobs, [job.name])
})

test('a job of each process runs in each when it is woken, never twice at the same time, and once more if it was woken meanwhile', async () => {
  const runs = [0, 0]
  const wakes: (() => void)[] = []
  let running = 0
  let gate = Promise.withResolvers<void>()
  const processes = [0, 1].map((index) =>
    newProcess([
      newJob(
        async () => {
          runs[index] = (runs[index] as number) + 1
          assert.equal(index === 0 ? ++running : 1, 1)
          await gate.promise
          if (index === 0) running -= 1
        },
        {
          runsOn: 'each process',
          wokenBy(wake) {
            wakes[index] = wake
            return () => {
              wakes[index] = () => {}
            }
          },
        },
      ),
    ]),
  )
  for (const wake of [...wakes, ...wakes, ...wakes]) wake()
  assert.deepEqual(runs, [1, 1])
  const first = gate
  gate = Promise.withResolvers()
  gate.resolve()
  first.resolve()
  while (runs.some((count) => count < 2)) await pool.run(sql`select 1`)
  for (const { stop } of processes) await stop()
  for (const wake of wakes) wake()
  assert.deepEqual(runs, [2, 2])
})

test('a job of each process that fails is on record until it succeeds again', async () => {
  let wake = () => {}
  let broken = true
  const job = newJob(
    async () => {
      if (broken) throw new Error('no route')
    },
    {
      runsOn: 'each process',
      wokenBy(asked) {
        wake = asked
        return () => {}
      },
    },
  )
  newProcess([job])
  const failures = async () =>
    (await pool.run(sql`select failures from background_jobs where name = ${job.name}`))[0]?.failures
  wake()
  while ((await failures()) !== 1);
  broken = false
  wake()
  while ((await failures()) !== 0);
  assert.equal((await rowOf(job)).error, 'no route')
})

test('a success that could not be saved, as while the database changes hosts, is saved by the next one: a failure does not stay', async () => {
  const outcomes: (() => void)[] = []
  const job = newJob(async () => outcomes.shift()?.(), { runsOn: 'each process' })
  let isAway = false
  const lost = {
    ...pool,
    run: ((statement) => (isAway ? Promise.reject(new Error('away')) : pool.run(statement))) as typeof pool.run,
  }
  const quiet = { debug() {}, warn() {}, error() {} }
  const own = ownJob(job, {
    pool: lost,
    reporting: { log: quiet, observe() {} },
    stopping: new AbortController().signal,
  })
  const run = async () => {
    own.wake()
    await own.ended()
  }
  outcomes.push(() => {
    throw new Error('the primary is gone')
  })
  await run()
  assert.equal((await rowOf(job)).failures, 1)
  isAway = true
  await run()
  isAway = false
  assert.equal((await rowOf(job)).failures, 1)
  await run()
  assert.equal((await rowOf(job)).failures, 0)
})
