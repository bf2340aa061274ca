import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long an idle connection may still bring a request that was on its way when we began to close. */
const lastCallMs = 500

export type Connections = {
  take(connection: Socket): void
  /** Answers what comes on those that are open and closes each after its answer, for at most so long. */
  close(timeoutMs: number): Promise<void>
}

/** The connections of an app that listens on no port itself: in a worker the primary accepts them, and a stop closes the port before them. */
export function connectionsOf({ server }: FastifyInstance): Connections {
  const open = new Set<Socket>()
  // Node watches for slow requests from the moment in which a server begins to listen.
  server.emit('listening')
  return {
    take(connection) {
      // As with those that an HTTP server accepts itself. It is lost on the way from another process.
      connection.allowHalfOpen = true
      open.add(connection)
      connection.once('close', () => open.delete(connection))
      server.emit('connection', connection)
      connection.resume()
    },
    async close(timeoutMs) {
      const since = Date.now()
      while (open.size > 0 && Date.now() - since < lastCallMs + timeoutMs) {
        await sleep(25)
        if (Date.now() - since < lastCallMs) continue
        // Once what has arrived is read: closing a connection with something unread in it resets it.
        await turn()
        server.closeIdleConnections()
        // To Node a connection is idle only after its first request: those on which nothing was ever sent would be waited for.
        for (const connection of open) if (connection.bytesRead === 0) connection.destroy()
      }
      server.closeAllConnections()
    },
  }
}
