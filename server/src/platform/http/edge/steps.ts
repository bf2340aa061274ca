import type { onRequestHookHandler, RouteOptions } from 'fastify'

/**
 * A step that every request of a route takes before its body is read, after the steps added before. It knows its route from the start, where a hook
 * for all routes would have to ask each request for the options of its own, and Fastify puts those together anew every time.
 */
export function addStep(route: RouteOptions, step: onRequestHookHandler): void {
  route.onRequest = [...[route.onRequest ?? []].flat(), step]
}
