import type { Place } from './estimate.ts'

/** How far and how long the rest of the way is. */
export type Route = { kilometres: number; hours: number }

/** Asks a routing service for the way through these places; null where it knows none, or does not answer in time. */
export type FindRoute = (places: readonly Place[], signal?: AbortSignal) => Promise<Route | null>

/** A routing service with the interface of OSRM: `GET {url}/route/v1/driving/{longitude},{latitude};…`. */
export function openRouting(url: string, timeoutMs: number): FindRoute {
  return async (places, signal) => {
    const path = places.map(({ latitude, longitude }) => `${longitude.toFixed(6)},${latitude.toFixed(6)}`).join(';')
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await fetch(`${url}/route/v1/driving/${path}?overview=false`, {
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        redirect: 'error',
      })
      return answer.ok ? routeIn(await answer.json()) : null
    } catch {
      return null
    }
  }
}

function routeIn(body: unknown): Route | null {
  const { code, routes } = (body ?? {}) as { code?: unknown; routes?: { distance?: unknown; duration?: unknown }[] }
  const { distance, duration } = routes?.[0] ?? {}
  if (code !== 'Ok' || !isPositive(distance) || !isPositive(duration)) return null
  return { kilometres: distance / 1000, hours: duration / 3600 }
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
