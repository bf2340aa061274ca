import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Settings } from '../../settings.ts'
import { Refusal } from '../core/refusal.ts'
import type { Share } from '../db/pool/shares.ts'

export type Metrics = {
  registry: Registry
  text(): Promise<string>
  /** An answer, by its route's pattern: no ids, no organization, nothing of a tenant. */
  observe(method: string, route: string, status: number, seconds: number): void
  /** A run of a background job. */
  observeJob(job: string, succeeded: boolean, seconds: number): void
  /** An attempt to deliver to a webhook, and what became of the delivery. */
  observeDelivery(outcome: 'succeeded' | 'failed' | 'given_up', seconds: number): void
  /** Attempts to hand over mails, and whether the mail server is there. */
  mails: { attempt(outcome: string): void; server(isThere: boolean): void }
  /** So many events got their positions in a change feed. */
  observePublished(events: number): void
}

/** `gather` asks the primary process for the sum over all of them, where there are several. */
export function makeMetrics(gather?: () => Promise<string>): Metrics {
  const registry = new Registry()
  AggregatorRegistry.setRegistries(registry)
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    text: gather ?? (() => registry.metrics()),
    observe: observeRequests(registry),
    observeJob: observeJobs(registry),
    observeDelivery: observeDeliveries(registry),
    mails: observeMails(registry),
    observePublished: observePublished(registry),
  }
}

/** Read from the database when somebody asks: any process, or a command, may have made it. */
export function observeBackups({ registry }: Metrics, lastMade: () => Promise<Date | undefined>): void {
  new Gauge({
    name: 'lading_last_backup_timestamp_seconds',
    help: 'When the last good backup was made; 0 if there is none',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const made = await lastMade().catch(() => undefined)
      this.set(made ? made.getTime() / 1000 : 0)
    },
  })
}

/** How deliveries to webhooks are doing. */
export function observeWebhooks(
  metrics: Metrics,
  find: () => Promise<Record<'waiting' | 'oldestSeconds' | 'failing' | 'disabled', number>>,
): void {
  observeStored(metrics, find, {
    waiting: ['lading_webhook_deliveries_waiting', 'Deliveries to enabled webhooks that wait for an attempt'],
    oldestSeconds: [
      'lading_webhook_oldest_due_seconds',
      'For how long the oldest delivery that is due has waited, of webhooks that do not fail; 0 if none is due',
    ],
    failing: ['lading_webhooks_failing', 'Enabled webhooks to which nothing was delivered since their last failure'],
    disabled: [
      'lading_webhooks_disabled_by_failure',
      'Webhooks that were disabled after three days of failure, and were not enabled or deleted since',
    ],
  })
}

/** Mails that are still to be handed over. */
export function observeWaitingMails(
  metrics: Metrics,
  find: () => Promise<Record<'waiting' | 'oldestSeconds', number>>,
): void {
  observeStored(metrics, find, {
    waiting: ['lading_mails_waiting', 'Mails that wait for an attempt'],
    oldestSeconds: [
      'lading_mail_oldest_due_seconds',
      'For how long the mail that has been due for longest has waited; 0 if none is due',
    ],
  })
}

/** The directory of documents, as this machine sees it. */
export function observeDocuments(metrics: Metrics, find: () => Promise<Record<'usable' | 'freeBytes', number>>): void {
  observeStored(metrics, find, {
    usable: [
      'lading_documents_usable',
      '1 while the files of documents can be read here; 0 where their disk is not mounted or does not answer',
    ],
    freeBytes: ['lading_documents_free_bytes', 'Free room in the directory of documents; 0 where it is not known'],
  })
}

/** Whether the change feeds keep up with what is recorded. */
export function observeFeeds(metrics: Metrics, find: () => Promise<Record<'unpublishedSeconds', number>>): void {
  observeStored(metrics, find, {
    unpublishedSeconds: [
      'lading_feed_oldest_unpublished_seconds',
      'For how long the oldest event without a position in its feed has waited; 0 if none does',
    ],
  })
}

/** Read from the database together when somebody asks: they are the same for all processes. */
function observeStored<K extends string>(
  { registry }: Metrics,
  find: () => Promise<Record<K, number>>,
  gauges: Record<K, readonly [name: string, help: string]>,
): void {
  let found: Promise<Partial<Record<K, number>>> | undefined
  const once = () => {
    found ??= find()
      .catch(() => ({}))
      .finally(() => {
        found = undefined
      })
    return found
  }
  for (const key of Object.keys(gauges) as K[]) {
    const [name, help] = gauges[key]
    const registers = [registry]
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers,
      async collect() {
        this.set((await once())[key] ?? 0)
      },
    })
  }
}

/** What organizations share of this process, by what it is a share of; nothing of who they are. */
export function observeShares({ registry }: Metrics, shares: Readonly<Record<string, Share>>): void {
  const all = Object.entries(shares)
  const registers = [registry]
  const labelNames = ['share'] as const
  new Gauge({
    name: 'lading_share_places_in_use',
    help: 'Places in use of what organizations share',
    labelNames,
    registers,
    collect() {
      for (const [share, { counts }] of all) this.set({ share }, counts().held)
    },
  })
  new Gauge({
    name: 'lading_share_waiting',
    help: 'Requests that wait for a place in what organizations share',
    labelNames,
    registers,
    collect() {
      for (const [share, { counts }] of all) this.set({ share }, counts().waiting)
    },
  })
  new Counter({
    name: 'lading_share_refused_total',
    help: 'Requests that found no place in time in what organizations share',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [share, { counts }] of all) this.inc({ share }, counts().refused)
    },
  })
}

/** What became of requests in the request log of this process. */
export function observeRequestLog(
  { registry }: Metrics,
  counts: () => { waiting: number; kept: number; notKept: number; lost: number },
): void {
  const registers = [registry]
  new Gauge({
    name: 'lading_request_log_waiting',
    help: 'Entries of the request log that are not written yet',
    registers,
    collect() {
      this.set(counts().waiting)
    },
  })
  new Counter({
    name: 'lading_request_log_requests_total',
    help: 'Requests by what became of them in the request log: kept, counted in a summary, or lost',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { kept, notKept, lost } = counts()
      this.reset()
      this.inc({ outcome: 'kept' }, kept - lost)
      this.inc({ outcome: 'counted' }, notKept)
      this.inc({ outcome: 'lost' }, lost)
    },
  })
}

export function showMetrics(app: FastifyInstance, metrics: Metrics, settings: Settings): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireReader(request, settings)
    return reply
      .type(metrics.registry.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text())
  })
}

function requireReader({ headers, raw }: FastifyRequest, { metricsToken, metricsPublic }: Settings): void {
  if (metricsPublic) return
  if (metricsToken ? isSame(headers.authorization ?? '', `Bearer ${metricsToken}`) : isLocal(raw)) return
  const words = metricsToken
    ? 'The metrics need the token of METRICS_TOKEN as a bearer token.'
    : 'The metrics are for callers on this machine. Set METRICS_TOKEN to read them from elsewhere.'
  throw new Refusal('unauthenticated', 'token_required', words, {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  })
}

/** As hashes: the comparison must not take the longer the more of it is right, and their lengths are the same. */
function isSame(sent: string, right: string): boolean {
  const [one, other] = [sent, right].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}

/** By the socket's own address. A proxy on this machine says that it asks for somebody else, who may be anywhere. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via
  return forwarded === undefined && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
}

function observeRequests(registry: Registry): Metrics['observe'] {
  const durations = new Histogram({
    name: 'lading_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return (method, route, status, seconds) => durations.observe({ method, route, status }, seconds)
}

/** The label is not `job`: Prometheus has one of that name, for what it reads the metrics of. */
function observeJobs(registry: Registry): Metrics['observeJob'] {
  const registers = [registry]
  const runs = new Counter({
    name: 'lading_job_runs_total',
    help: 'Runs of background jobs',
    labelNames: ['job_name', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'lading_job_duration_seconds',
    help: 'How long runs of background jobs took',
    labelNames: ['job_name'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  })
  // Any process may have run it last: the latest of all their times is the one that counts.
  const succeeded = new Gauge({
    name: 'lading_job_last_success_timestamp_seconds',
    help: 'When a background job last succeeded',
    labelNames: ['job_name'],
    aggregator: 'max',
    registers,
  })
  return (job_name, success, seconds) => {
    runs.inc({ job_name, outcome: success ? 'success' : 'failure' })
    durations.observe({ job_name }, seconds)
    if (success) succeeded.setToCurrentTime({ job_name })
  }
}

function observeDeliveries(registry: Registry): Metrics['observeDelivery'] {
  const registers = [registry]
  const attempts = new Counter({
    name: 'lading_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks',
    labelNames: ['outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'lading_webhook_attempt_duration_seconds',
    help: 'How long attempts to deliver to webhooks took',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers,
  })
  return (outcome, seconds) => {
    attempts.inc({ outcome })
    durations.observe(seconds)
  }
}

/** Taken to be there until it was asked. Of several processes one that does not reach it counts. */
function observeMails(registry: Registry): Metrics['mails'] {
  const registers = [registry]
  const attempts = new Counter({
    name: 'lading_mail_attempts_total',
    help: 'Attempts to hand over mails',
    labelNames: ['outcome'],
    registers,
  })
  const help = 'Whether mails could be handed over when that was last tried: 1, or 0 while the mail server is away'
  const server = new Gauge({ name: 'lading_mail_server_reachable', help, aggregator: 'min', registers })
  server.set(1)
  return {
    attempt: (outcome) => attempts.inc({ outcome: outcome === 'queued' ? 'deferred' : outcome }),
    server: (isThere) => server.set(isThere ? 1 : 0),
  }
}

function observePublished(registry: Registry): Metrics['observePublished'] {
  const events = new Counter({
    name: 'lading_feed_events_total',
    help: 'Events that this process gave a position in a change feed',
    registers: [registry],
  })
  return (count) => events.inc(count)
}
