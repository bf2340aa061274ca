import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Draining } from '../health/routes.ts'

/** How long an idle connection may still bring a request that was on its way when we began to close. */
const lastCallMs = 500

/**
 * Stops without failing a request: answer "not ready", wait until balancers send nothing more, take no new connections, answer what comes on the
 * open ones and close each after its answer.
 */
export async function drain(app: FastifyInstance, draining: Draining, { delayMs, timeoutMs }: { delayMs: number; timeoutMs: number }): Promise<void> {
  draining.now = true
  if (delayMs > 0) await sleep(delayMs)
  // Not http's close(): that one hangs up on idle connections at once, on which a request may just be arriving.
  const closed = new Promise<void>((done) => NetServer.prototype.close.call(app.server, () => done()))
  await Promise.race([closed, sleep(lastCallMs, undefined, { ref: false })])
  const sweep = setInterval(() => app.server.closeIdleConnections(), 25)
  await Promise.race([closed, sleep(timeoutMs, undefined, { ref: false })])
  clearInterval(sweep)
  app.server.closeAllConnections()
  await app.close()
}
