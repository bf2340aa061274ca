import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../settings.ts'
import { StartError } from '../core/start-error.ts'
import { openPort, type Port } from '../http/edge/port.ts'
import type { Log } from '../observe/log.ts'
import { distribute } from './connections.ts'
import { sendSum } from './measures.ts'
import { send, type WorkerMessage } from './messages.ts'

/** One process for each worker, all on one port; one that ends is replaced. Resolves when all of them serve, with the way to stop them. */
export async function forkWorkers(settings: Settings, log: Log): Promise<() => Promise<void>> {
  const serving = new Set<Worker>()
  const stopping = new AbortController()
  const connections = distribute(settings.requestTimeoutMs)
  let port: Port | undefined

  function launch(): Promise<void> {
    const worker = cluster.fork()
    return new Promise((ready, failed) => {
      worker.on('message', (message: WorkerMessage) => {
        if (message.lading === 'failed') failed(new StartError(message.error))
        if (message.lading === 'askForSum') sendSum(worker, serving)
        if (message.lading === 'accepted') connections.offer(worker)
        if (message.lading !== 'ready') return
        serving.add(worker)
        connections.offer(worker)
        ready()
      })
      worker.process.once('close', () => connections.forget(worker))
      worker.once('exit', (code, signal) => {
        failed(new StartError(`A worker ended while starting (${signal ?? `exit code ${code}`}).`))
        if (!serving.delete(worker) || stopping.signal.aborted) return
        log.error(
          `A worker (pid ${worker.process.pid}) ended by itself (${signal ?? `exit code ${code}`}); starting another.`,
        )
        replace()
      })
    })
  }

  async function replace(): Promise<void> {
    for (let pause = 100; !stopping.signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        return await launch()
      } catch (error) {
        if (!stopping.signal.aborted) log.error(`A worker could not start: ${(error as Error).message}`)
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function stop(): Promise<void> {
    for (const worker of serving) send(worker, { lading: 'notReady' })
    if (settings.drainDelayMs > 0) await sleep(settings.drainDelayMs)
    await port?.close()
    // Those that came before are with their workers before these begin to close.
    await connections.settled(settings.drainTimeoutMs)
    stopping.abort()
    await stopWorkers()
  }

  async function stopWorkers(): Promise<void> {
    const left = Object.values(cluster.workers ?? {}).filter(
      (worker) => worker !== undefined && !worker.isDead(),
    ) as Worker[]
    const gone = Promise.all(left.map((worker) => once(worker, 'exit')))
    const kill = (worker: Worker) => void worker.process.kill('SIGKILL')
    // One that is still starting has no request to finish, and would get no message before it has started.
    for (const worker of left) serving.has(worker) ? send(worker, { lading: 'stop' }) : kill(worker)
    const tooLong = setTimeout(() => left.forEach(kill), settings.drainTimeoutMs + 10_000)
    await gone
    clearTimeout(tooLong)
  }

  try {
    await Promise.all(Array.from({ length: settings.workers }, launch))
    port = await openPort(settings, connections.give)
  } catch (error) {
    stopping.abort()
    await stopWorkers()
    throw error
  }
  log.info(`Server listening at ${port.url}`)
  return stop
}
