import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'

/** Where the relay passes on to: a port of this machine, or an address such as that of the embedded PostgreSQL. */
export type Target = number | { host: string; port: number }

export type Relay = {
  readonly port: number
  /** How many connections go through it at this moment. */
  readonly connections: number
  /** Says nothing more in either direction and closes nothing, as a host that has vanished. New connections are accepted and get no answer either. */
  silence(): void
  /** The same for the connections that there are; new ones are passed on. */
  silenceThese(): void
  /** Passes on again, what was held back first. */
  resume(): void
  /** Every piece of data arrives this much later, in both directions. */
  delay(ms: number): void
  /** Cuts every connection there is; new ones are passed on. */
  drop(): void
  /** Cuts every connection and refuses new ones until `listen`. */
  refuse(): Promise<void>
  listen(): Promise<void>
  /** Called with what clients send and what the server answers, before it is passed on. */
  watch(see: (from: 'client' | 'server', data: Buffer) => void): void
  close(): Promise<void>
}

type Pair = { client: Socket; server: Socket; silent: boolean }

/** A TCP relay on this machine that delays, drops and silences connections, for tests of what happens when a network does. */
export async function startRelay(target: Target): Promise<Relay> {
  const pairs = new Set<Pair>()
  /** One half of a pair may outlive the other, while the relay is silent about its end. */
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let silent = false
  let delayMs = 0
  let see: Parameters<Relay['watch']>[0] = () => {}

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const pair = { client, server: connect(optionsOf(target)), silent: false }
    pair.server.setNoDelay(true)
    pairs.add(pair)
    passOn(pair, client, pair.server, 'client')
    passOn(pair, pair.server, client, 'server')
  })

  function passOn(pair: Pair, from: Socket, to: Socket, side: 'client' | 'server'): void {
    // Data that arrives while the relay is silent stays in order behind what is held back already.
    const later = (work: () => void) => {
      const act = () => (silent || pair.silent ? void held.push(act) : work())
      if (delayMs > 0) setTimeout(act, delayMs)
      else act()
    }
    from.on('data', (data: Buffer) => {
      see(side, data)
      later(() => to.write(data))
    })
    from.on('end', () => later(() => to.end()))
    from.on('error', () => {})
    sockets.add(from)
    from.on('close', () => {
      sockets.delete(from)
      if (pairs.delete(pair)) later(() => to.destroySoon())
    })
  }

  function drop(): void {
    held.length = 0
    pairs.clear()
    for (const socket of sockets) socket.destroy()
  }

  async function listen(): Promise<void> {
    await new Promise<void>((done, fail) => server.once('error', fail).listen(relay.port, '127.0.0.1', done))
  }

  async function refuse(): Promise<void> {
    const closed = server.listening ? new Promise((done) => server.close(done)) : undefined
    drop()
    await closed
  }

  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
  const relay = {
    port: portOf(server),
    get connections() {
      return pairs.size
    },
    silence() {
      silent = true
    },
    silenceThese() {
      for (const pair of pairs) pair.silent = true
    },
    resume() {
      silent = false
      for (const pair of pairs) pair.silent = false
      for (const act of held.splice(0)) act()
    },
    delay(ms: number) {
      delayMs = ms
    },
    drop,
    refuse,
    listen,
    watch(watcher: typeof see) {
      see = watcher
    },
    async close() {
      silent = false
      await refuse()
    },
  }
  return relay
}

/** The address of a database, as a URL that leads through these relays, the first of them first. */
export function through(target: { user: string; database: string } | string, ...relays: readonly Relay[]): string {
  const hosts = relays.map(({ port }) => `127.0.0.1:${port}`).join(',')
  if (typeof target !== 'string') return `postgres://${target.user}@${hosts}/${target.database}`
  const { protocol, username, password, pathname, search } = new URL(target)
  return `${protocol}//${username}${password && `:${password}`}@${hosts}${pathname}${search}`
}

/** A relay to the database of the tests. */
export function relayTo(target: { host: string; port: number } | string): Promise<Relay> {
  if (typeof target !== 'string') return startRelay(target)
  const { hostname, port } = new URL(target)
  return startRelay({ host: hostname, port: Number(port || 5432) })
}

function optionsOf(target: Target): NetConnectOpts {
  if (typeof target === 'number') return { host: '127.0.0.1', port: target }
  // PostgreSQL names its socket in a directory after its port.
  return target.host.startsWith('/') ? { path: `${target.host}/.s.PGSQL.${target.port}` } : target
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return address.port
}
