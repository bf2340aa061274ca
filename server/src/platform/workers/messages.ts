import type { Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type Measurement = MetricObjectWithValues<MetricValue<string>>[]

export type WorkerMessage = {
  lading?: 'ready' | 'failed' | 'accepted' | 'askForSum' | 'measured'
  error?: string
  id?: number
  metrics?: Measurement
}

/** `connection` comes with the connection itself. `notReady` announces a `stop`: from then on every answer is the last on its connection. */
export type PrimaryMessage = {
  lading?: 'connection' | 'notReady' | 'stop' | 'measure' | 'sum'
  id?: number
  text?: string
}

/** The worker may have ended already; its exit event deals with that. */
export function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.process.send(message, () => {})
}

/** False where the worker has ended already. Our own handle stays open: where the worker is killed before it has the connection, Node closes neither. */
export function sendConnection(worker: Worker, connection: Socket): boolean {
  if (!worker.isConnected()) return false
  worker.process.send({ lading: 'connection' } satisfies PrimaryMessage, connection, { keepOpen: true }, () => {})
  return true
}

export function sendToPrimary(message: WorkerMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
