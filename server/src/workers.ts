import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import { StartError } from './core/start-error.ts'
import { embeddedAddress } from './db/embedded.ts'
import type { Log } from './log.ts'
import type { Settings } from './settings.ts'

type Measured = MetricObjectWithValues<MetricValue<string>>[]
type FromWorker = { lading?: 'ready' | 'failed' | 'askForSum' | 'measured'; error?: string; id?: number; metrics?: Measured }
type FromPrimary = { lading?: 'stop' | 'measure' | 'sum'; id?: number; text?: string }

/** One process for each worker, all on one port; one that dies is replaced. Resolves when all of them serve, with the way to stop them. */
export async function forkWorkers(settings: Settings, log: Log): Promise<() => Promise<void>> {
  const serving = new Set<Worker>()
  const stopping = new AbortController()
  const patienceMs = settings.drainDelayMs + settings.drainTimeoutMs + 10_000

  function launch(): Promise<void> {
    const worker = cluster.fork()
    return new Promise((ready, failed) => {
      worker.on('message', (message: FromWorker) => {
        if (message.lading === 'failed') failed(new StartError(message.error))
        if (message.lading === 'askForSum') sendSum(worker, serving)
        if (message.lading !== 'ready') return
        serving.add(worker)
        // A worker gets no messages while it is still loading, so a stop is sent again.
        if (stopping.signal.aborted) send(worker, { lading: 'stop' })
        ready()
      })
      worker.once('exit', (code, signal) => {
        failed(new StartError(`A worker ended while starting (${signal ?? `exit code ${code}`}).`))
        if (!serving.delete(worker) || stopping.signal.aborted) return
        log.error(`A worker (pid ${worker.process.pid}) ended by itself (${signal ?? `exit code ${code}`}); starting another.`)
        replace()
      })
    })
  }

  async function replace(): Promise<void> {
    for (let pause = 100; !stopping.signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        return await launch()
      } catch (error) {
        log.error(`A worker could not start: ${(error as Error).message}`)
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    const left = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[]
    const gone = Promise.all(left.map((worker) => once(worker, 'exit')))
    for (const worker of serving) send(worker, { lading: 'stop' })
    const tooLong = setTimeout(() => left.forEach((worker) => void worker.process.kill('SIGKILL')), patienceMs)
    await gone
    clearTimeout(tooLong)
  }

  try {
    await Promise.all(Array.from({ length: settings.workers }, launch))
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

/** A worker takes its orders from the primary: a Ctrl-C reaches every process of the terminal, and the primary decides when to stop. */
export async function startWorker(settings: Settings, log: Log): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  try {
    const { serve } = await import('./serve.ts')
    const { metrics, stop } = await serve(settings, settings.databaseUrl ?? embeddedAddress(settings.dataDir), log, askForSum)
    process.on('message', async ({ lading, id }: FromPrimary) => {
      if (lading === 'measure') sendToPrimary({ lading: 'measured', id: id as number, metrics: (await metrics.registry.getMetricsAsJSON()) as Measured })
      if (lading !== 'stop') return
      await stop()
      log.flush()
      process.exit(0)
    })
    sendToPrimary({ lading: 'ready' })
  } catch (error) {
    process.send?.({ lading: 'failed', error: (error as Error).message } satisfies FromWorker, () => process.exit(1))
  }
}

/** A scrape reaches one worker; the primary adds up what all of them counted. */
async function sendSum(asker: Worker, serving: ReadonlySet<Worker>): Promise<void> {
  const measured = await Promise.all([...serving].map(measure))
  send(asker, { lading: 'sum', text: await AggregatorRegistry.aggregate(measured).metrics() })
}

let asked = 0

function measure(worker: Worker): Promise<Measured> {
  const id = ++asked
  return new Promise((done) => {
    const listen = (message: FromWorker) => message.lading === 'measured' && message.id === id && finish(message.metrics)
    const finish = (metrics: Measured = []) => {
      worker.off('message', listen)
      worker.off('disconnect', finish)
      clearTimeout(tooLong)
      done(metrics)
    }
    const tooLong = setTimeout(finish, 2_000)
    worker.on('message', listen)
    worker.once('disconnect', finish)
    send(worker, { lading: 'measure', id })
  })
}

function askForSum(): Promise<string> {
  return new Promise((done) => {
    const listen = ({ lading, text }: FromPrimary) => {
      if (lading !== 'sum') return
      process.off('message', listen)
      done(text ?? '')
    }
    process.on('message', listen)
    sendToPrimary({ lading: 'askForSum' })
  })
}

/** The worker may have ended already; its exit event deals with that. */
function send(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.process.send(message, () => {})
}

function sendToPrimary(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
