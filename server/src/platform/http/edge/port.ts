import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Settings } from '../../../settings.ts'
import { StartError } from '../../core/start-error.ts'

export type Port = {
  url: string
  /** Takes no new connections; those that are open stay. */
  close(): Promise<void>
}

/** Listens, and hands every connection on as it is, before anything was read from it. */
export async function openPort(settings: Settings, take: (connection: Socket) => void): Promise<Port> {
  const { host, port } = settings
  const [first = host, ...others] = await addressesOf(settings)
  const server = await listen(take, first, port).catch((error) => {
    throw cannotListen(error, settings)
  })
  const { port: actual } = server.address() as AddressInfo
  // A machine may have a name for an address that it does not have, as for IPv6.
  const more = await Promise.all(others.map((address) => listen(take, address, actual).catch(() => null)))
  const servers = [server, ...more.filter((one) => one !== null)]
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${actual}`,
    close: async () => void (await Promise.all(servers.map((server) => stopAccepting(server, take)))),
  }
}

/** Whether the port can be had, asked before anything is made: whoever chooses another finds nothing half made. It is given back at once. */
export async function requirePort(settings: Settings): Promise<void> {
  if (settings.port === 0) return
  const port = await openPort(settings, (connection) => connection.destroy())
  await port.close()
}

/** Some programs take localhost to be 127.0.0.1, others to be ::1. */
async function addressesOf({ host }: Settings): Promise<string[]> {
  if (host !== 'localhost') return [host]
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))]
}

async function listen(take: (connection: Socket) => void, host: string, port: number): Promise<Server> {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, take)
  server.listen({ host, port })
  await once(server, 'listening')
  return server
}

/** How long we go on taking connections where they come without a pause. */
const longestMs = 2_000
/** In a turn of the event loop that took longer, connections may have arrived after it had looked for them. */
const shortTurnMs = 0.5

/**
 * Connections that the system has accepted and that we have not taken yet would be reset: the port is closed in a moment in which there is none. Those that
 * come meanwhile are handed on afterwards: callers who get an answer would come back at once, with a new connection, and there would be no such moment.
 */
async function stopAccepting(server: Server, take: (connection: Socket) => void): Promise<void> {
  const taken: Socket[] = []
  server.off('connection', take)
  server.on('connection', (connection) => void taken.push(connection))
  await turn()
  for (let began = performance.now(), until = began + longestMs, quiet = false; !quiet && began < until; ) {
    const before = taken.length
    // One turn takes at most one connection.
    await turn()
    const ended = performance.now()
    quiet = taken.length === before && ended - began < shortTurnMs
    began = ended
  }
  server.close()
  for (const connection of taken) take(connection)
}

function cannotListen(error: unknown, { host, port }: Settings): unknown {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} on ${host} is taken by another program. Choose another with PORT, such as PORT=${otherThan(port)}.`,
    )
  if (code === 'EACCES')
    return new StartError(`This user may not listen on port ${port}. Choose one above 1023 with PORT.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`${host} is no address of this machine. Choose another with HOST.`)
  return error
}

function otherThan(port: number): number {
  return port < 65535 ? port + 1 : 8080
}
