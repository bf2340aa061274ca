import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { Refusal } from './core/refusal.ts'
import type { Settings } from './settings.ts'

export type Metrics = {
  registry: Registry
  text(): Promise<string>
  /** An answer, by its route's pattern: no ids, no organization, nothing of a tenant. */
  observe(method: string, route: string, status: number, seconds: number): void
}

/** `gather` asks the primary process for the sum over all of them, where there are several. */
export function makeMetrics(gather?: () => Promise<string>): Metrics {
  const registry = new Registry()
  AggregatorRegistry.setRegistries(registry)
  collectDefaultMetrics({ register: registry })
  return { registry, text: gather ?? (() => registry.metrics()), observe: observeRequests(registry) }
}

export function showMetrics(app: FastifyInstance, metrics: Metrics, { metricsToken }: Settings): void {
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

type Series = { labels: { method: string; route: string; status: number }; counts: number[]; sum: number }

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A histogram to whoever reads the registry. The registry's own would work out the same labels anew for every request. */
function observeRequests(registry: Registry): Metrics['observe'] {
  const name = 'lading_http_request_duration_seconds'
  const all: Series[] = []
  const known = new Map<string, Map<string, Map<number, Series>>>()
  registry.registerMetric({
    name,
    get: async () => ({
      name,
      help: 'Time from a request to the end of its answer',
      type: 'histogram',
      aggregator: 'sum',
      values: all.flatMap((series) => valuesOf(name, series)),
    }),
  } as never)

  return (method, route, status, seconds) => {
    const series = known.get(route)?.get(method)?.get(status) ?? begin(method, route, status)
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++
    ;(series.counts[bucket] as number) += 1
    series.sum += seconds
  }

  function begin(method: string, route: string, status: number): Series {
    const series = { labels: { method, route, status }, counts: [...bounds, 0].fill(0), sum: 0 }
    const methods = known.get(route) ?? new Map<string, Map<number, Series>>()
    const statuses = methods.get(method) ?? new Map<number, Series>()
    known.set(route, methods.set(method, statuses.set(status, series)))
    all.push(series)
    return series
  }
}

function valuesOf(name: string, { labels, counts, sum }: Series) {
  let upTo = 0
  const buckets = counts.map((count, bucket) => {
    upTo += count
    return { metricName: `${name}_bucket`, labels: { le: bounds[bucket] ?? '+Inf', ...labels }, value: upTo }
  })
  return [...buckets, { metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: upTo }]
}
