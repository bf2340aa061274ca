import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { type Measurement, type PrimaryMessage, send, sendToPrimary, type WorkerMessage } from './messages.ts'

/** A scrape reaches one worker; the primary adds up what all of them counted. */
export async function sendSum(asker: Worker, serving: ReadonlySet<Worker>): Promise<void> {
  const measured = await Promise.all([...serving].map(measure))
  send(asker, { lading: 'sum', text: await AggregatorRegistry.aggregate(measured).metrics() })
}

let asked = 0

function measure(worker: Worker): Promise<Measurement> {
  const id = ++asked
  return new Promise((done) => {
    const listen = (message: WorkerMessage) =>
      message.lading === 'measured' && message.id === id && finish(message.metrics)
    const finish = (metrics: Measurement = []) => {
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

/** In a worker: what the primary makes of all of them. */
export function askForSum(): Promise<string> {
  return new Promise((done) => {
    const listen = ({ lading, text }: PrimaryMessage) => {
      if (lading !== 'sum') return
      process.off('message', listen)
      done(text ?? '')
    }
    process.on('message', listen)
    sendToPrimary({ lading: 'askForSum' })
  })
}
