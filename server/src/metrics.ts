import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Refusal } from './core/refusal.ts'
import type { Settings } from './settings.ts'

export type Metrics = { registry: Registry; text(): Promise<string> }

/** `gather` asks the primary process for the sum over all of them, where there are several. */
export function makeMetrics(gather?: () => Promise<string>): Metrics {
  const registry = new Registry()
  AggregatorRegistry.setRegistries(registry)
  collectDefaultMetrics({ register: registry })
  return { registry, text: gather ?? (() => registry.metrics()) }
}

/** Times every request by its route's pattern: no ids, no organization, nothing of a tenant. */
export function measure(app: FastifyInstance, metrics: Metrics, { metricsToken }: Settings): void {
  const durations = new Histogram({
    name: 'lading_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics.registry],
  })
  app.addHook('onResponse', (request, reply, next) => {
    durations.observe({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000)
    next()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (metricsToken && request.headers.authorization !== `Bearer ${metricsToken}`) {
      throw new Refusal('unauthenticated', 'token_required', 'The metrics need the token of METRICS_TOKEN as a bearer token.', {
        headers: { 'www-authenticate': 'Bearer realm="metrics"' },
      })
    }
    return reply
      .type(metrics.registry.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text())
  })
}
