import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { type Authority, openAuthority } from './identity/server/authority.ts'
import { jobsOf } from './jobs.ts'
import { lastBackup } from './platform/backup/schedule.ts'
import { threads } from './platform/core/turns/apart.ts'
import { type Database, openDatabase } from './platform/db/database.ts'
import { connect } from './platform/db/pool/connect.ts'
import type { Address } from './platform/db/postgres/embedded.ts'
import { published } from './platform/events/announcing.ts'
import { waitingEvents } from './platform/events/feed/publishing.ts'
import { uploadFolder } from './platform/files/contents/folders.ts'
import { documentsState } from './platform/files/contents/place.ts'
import { openStorage } from './platform/files/storage/open.ts'
import { type Connections, connectionsOf } from './platform/http/edge/connections.ts'
import { openPort } from './platform/http/edge/port.ts'
import { waitingMails } from './platform/mail/waiting.ts'
import type { Log } from './platform/observe/log.ts'
import {
  type Metrics,
  makeMetrics,
  observeBackups,
  observeDocuments,
  observeFeeds,
  observeShares,
  observeWaitingMails,
  observeWebhooks,
} from './platform/observe/metrics.ts'
import { waitingDeliveries } from './platform/webhooks/attempts/waiting.ts'
import { startWork } from './platform/work/scheduler.ts'
import type { Settings } from './settings.ts'

export type Service = {
  metrics: Metrics
  take: Connections['take']
  /** Announces a stop: to balancers, and with every answer to the client that it is the last on its connection. */
  beNotReady(): void
  stop(): Promise<void>
}

/** The longest time that a statement of a request may take. */
const statementMs = 30_000

/** HTTP on a port of this process until stopped. Answers how to stop. */
export async function serve(settings: Settings, target: Address | string, log: Log): Promise<() => Promise<void>> {
  const { take, beNotReady, stop } = await openService(settings, target, log)
  const port = await openPort(settings, take).catch(async (error) => {
    await stop()
    throw error
  })
  log.info(`Server listening at ${port.url}`)
  return async () => {
    beNotReady()
    if (settings.drainDelayMs > 0) await sleep(settings.drainDelayMs)
    await port.close()
    await stop()
  }
}

/** Everything but the port: answers on the connections that it is given, and does background work. `gatherMetrics` is for one of several processes. */
export async function openService(
  settings: Settings,
  target: Address | string,
  log: Log,
  gatherMetrics?: () => Promise<string>,
): Promise<Service> {
  const database = openDatabase(
    connect(target, { max: settings.databasePool, patience: { deadlineMs: statementMs + 5_000 } }),
    {
      statementMs,
      searchMs: settings.searchTimeoutMs,
    },
  )
  const draining = { now: false }
  const metrics = makeMetrics(gatherMetrics)
  let authority: Authority | undefined
  const close = async () => {
    await authority?.close()
    await database.close()
  }
  try {
    authority = await openAuthority({ database, settings, log })
    const app = await buildApp({ settings, database, authority, log, metrics, draining })
    await app.ready()
    const connections = connectionsOf(app)
    observeShares(metrics, { ...database.shares, threads })
    observeBackups(metrics, async () => (await lastBackup(database.pool))?.made_at)
    if (settings.documents.kind === 'directory')
      observeDocuments(metrics, async () => {
        const { ok, partly, freeBytes } = await documentsState(database.pool, settings)
        return { usable: ok || partly ? 1 : 0, freeBytes: freeBytes ?? 0 }
      })
    observeWebhooks(metrics, () => waitingDeliveries(database))
    observeWaitingMails(metrics, () => waitingMails(database))
    observeFeeds(metrics, () => waitingEvents(database))
    published.listen((_org, _last, count) => metrics.observePublished(count))
    const mail = await takeMail(settings, database, log)
    const work = startWork({
      pool: database.pool,
      jobs: jobsOf(database, settings, { log, observe: metrics.observeDelivery, mails: metrics.mails }),
      log,
      observe: metrics.observeJob,
    })
    return {
      metrics,
      take: connections.take,
      beNotReady() {
        draining.now = true
      },
      async stop() {
        draining.now = true
        await mail?.close()
        await connections.close(settings.drainTimeoutMs)
        await app.close()
        await work.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Loaded here and not above: few servers take mail. */
async function takeMail(settings: Settings, database: Database, log: Log): Promise<{ close(): Promise<void> } | null> {
  const { listen, names } = settings.inbox
  if (!listen) return null
  const { listenForMail } = await import('./payables/arrivals/smtp.ts')
  const keeping = { storage: openStorage(settings), folder: uploadFolder(settings) }
  const { receiveReport } = await import('./platform/mail/bounces.ts')
  const returns = { address: settings.mail.from, take: (bytes: Buffer) => receiveReport(database, bytes) }
  const mail = await listenForMail({
    database,
    keeping,
    names,
    listen,
    returns,
    closeTimeoutMs: settings.drainTimeoutMs,
    log,
  })
  log.info(`Taking mail for carrier invoices at ${listen.host}:${mail.port}`)
  return mail
}
