import type { Socket } from 'node:net'
import { embeddedAddress } from './platform/db/postgres/embedded.ts'
import type { Log } from './platform/observe/log.ts'
import { askForSum } from './platform/workers/measures.ts'
import {
  type Measurement,
  type PrimaryMessage,
  sendToPrimary,
  type WorkerMessage,
} from './platform/workers/messages.ts'
import type { Settings } from './settings.ts'

/** A worker takes its orders from the primary: a Ctrl-C reaches every process of the terminal, and the primary decides when to stop. */
export async function startWorker(settings: Settings, log: Log): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  try {
    const { openService } = await import('./serve.ts')
    const target = settings.databaseUrl ?? embeddedAddress(settings.dataDir)
    const { metrics, take, beNotReady, stop } = await openService(settings, target, log, askForSum)
    process.on('message', async ({ lading, id }: PrimaryMessage, connection?: Socket) => {
      if (lading === 'connection') {
        // The connection may have ended on the way.
        if (connection) take(connection)
        sendToPrimary({ lading: 'accepted' })
      }
      if (lading === 'measure')
        sendToPrimary({
          lading: 'measured',
          id: id as number,
          metrics: (await metrics.registry.getMetricsAsJSON()) as Measurement,
        })
      if (lading === 'notReady') beNotReady()
      if (lading !== 'stop') return
      await stop()
      log.flush()
      process.exit(0)
    })
    sendToPrimary({ lading: 'ready' })
  } catch (error) {
    process.send?.({ lading: 'failed', error: (error as Error).message } satisfies WorkerMessage, () => process.exit(1))
  }
}
