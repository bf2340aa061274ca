import type { Socket } from 'node:net'
import pg, { type Client, type ClientBase, type ClientConfig } from 'pg'
import type { Address } from '../postgres/embedded.ts'
import { isAway } from './away.ts'

/** Of several hosts, how long one may take to answer before the next is tried. */
const patienceMs = 3_000
/** Where connections are spread over hosts: for how long one that was away is left out. */
const leftOutMs = 5_000

type Role = 'any' | 'primary' | 'read-write' | 'standby' | 'read-only'

/** A connection to one of the hosts. */
export type HostClient = Client & {
  readonly hostNumber: number
  /** Its statements are those of requests, which may take so long and no longer. */
  readonly hasDeadline: boolean
  /** It was let in, and has not broken since. */
  isOpen: boolean
  /** An answer is due to it. */
  waiting: boolean
  /** With a cursor or a copy, whose server may rightly wait for us while we wait for it. */
  conversing: boolean
}

type HostOptions = ClientConfig & { hostNumber?: number; hasDeadline?: boolean }

/** The hosts of an address. With several, a client that cannot connect to one makes the next client connect to another. */
export function hostsOf(target: Address | string) {
  const configs: ClientConfig[] =
    typeof target === 'string' ? addressesOf(target).map((connectionString) => ({ connectionString })) : [target]
  const several = configs.length > 1
  const role = roleOf(target, several)
  const clients = new Set<HostClient>()
  const turn = isSpread(target) ? inTurn(configs.length) : oneInUse(configs.length)

  class OurClient extends pg.Client {
    readonly hostNumber: number
    readonly hasDeadline: boolean
    isOpen = false
    waiting = false
    conversing = false

    constructor({ hostNumber = turn.next(), hasDeadline = false, ...options }: HostOptions = {}) {
      super({ ...options, ...(several && { connectionTimeoutMillis: patienceMs }), ...configs[hostNumber] })
      this.hostNumber = hostNumber
      this.hasDeadline = hasDeadline
      clients.add(this)
      this.connect = noting(
        this.connect.bind(this) as Connect,
        (error) => isAway(error) && turn.leave(hostNumber),
      ) as never
      this.once('connect', () => {
        this.isOpen = true
      })
      this.on('drain', () => {
        this.waiting = false
      })
      this.on('end', () => {
        this.isOpen = false
        clients.delete(this)
      })
    }

    override query(...sent: never[]): never {
      this.waiting = true
      this.conversing = typeof (sent[0] as { submit?: unknown } | undefined)?.submit === 'function'
      return Reflect.apply(super.query, this, sent) as never
    }
  }

  /** Refuses a connection to a server that is not in the role that the address asks for. */
  async function check(client: ClientBase): Promise<void> {
    if (role === 'any') return
    const { rows } = await client.query(
      `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only`,
    )
    const [{ standby, read_only }] = rows as [{ standby: boolean; read_only: boolean }]
    if ({ primary: !standby, 'read-write': !read_only, standby, 'read-only': read_only }[role]) return
    turn.leave((client as ClientBase & HostClient).hostNumber)
    // As of a server that cannot be reached: 25006 would say that a statement was to write.
    throw Object.assign(new Error(`the server is not ${role}`), { code: '08001' })
  }

  async function tryEach<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt()
      } catch (error) {
        if (!isAway(error) || tried >= configs.length) throw error
      }
    }
  }

  /** Asks all hosts at once, and uses the first that is as it should be. */
  async function find(options: ClientConfig): Promise<void> {
    const asked = configs.map(async (_, hostNumber) => {
      const client = new OurClient({ ...options, hostNumber })
      client.on('error', () => {})
      const timer = setTimeout(() => giveUp(client, new Error('timeout expired')), options.connectionTimeoutMillis)
      try {
        await client.connect()
        await check(client)
        return hostNumber
      } finally {
        clearTimeout(timer)
        clients.delete(client)
        client.end().catch(() => {})
      }
    })
    const found = await Promise.any(asked).catch(({ errors }: AggregateError) => {
      throw errors[0]
    })
    turn.use(found)
  }

  return { Client: OurClient, clients: clients as ReadonlySet<HostClient>, check, tryEach, find }
}

/** Everything that was or is sent through it fails, once, with this error. */
export function giveUp(client: Client, error: Error): void {
  ;(client.connection.stream as unknown as Socket).destroy(error)
}

type Connect = (callback?: (error: Error | null) => void) => Promise<unknown>

/** The pool gives a callback, others wait for the promise. */
function noting(connect: Connect, note: (error: Error) => void): Connect {
  return (callback) => {
    if (!callback)
      return connect().catch((error) => {
        note(error)
        throw error
      })
    return connect((error) => {
      if (error) note(error)
      callback(error)
    })
  }
}

type Turn = {
  next(): number
  /** That host is away, or not in the role that is asked for. */
  leave(host: number): void
  /** That host is there again. */
  use(host: number): void
}

/** One host for all connections, until it is away. Of those that fail at the same time, the first moves on for all. */
function oneInUse(count: number): Turn {
  let inUse = 0
  return {
    next: () => inUse,
    leave(host) {
      if (host === inUse) inUse = (inUse + 1) % count
    },
    use(host) {
      inUse = host
    },
  }
}

/** Each connection to the host after that of the one before, beginning with any; not to one that was away a moment ago, while there is another. */
function inTurn(count: number): Turn {
  const leftOutUntil = new Array<number>(count).fill(0)
  let place = Math.floor(Math.random() * count)
  const isIn = (host: number) => (leftOutUntil[host] as number) < performance.now()
  return {
    next() {
      for (let step = 1; step <= count; step++) {
        const host = (place + step) % count
        if (!isIn(host) && step < count) continue
        place = host
        break
      }
      return place
    },
    leave(host) {
      leftOutUntil[host] = performance.now() + leftOutMs
    },
    use(host) {
      leftOutUntil[host] = 0
    },
  }
}

/** One address for each host. */
function addressesOf(url: string): string[] {
  // Without this the driver takes `require` to mean that the certificate is checked, which PostgreSQL's own programs do not.
  const whole = url.includes('sslmode=') ? `${url}&uselibpqcompat=true` : url
  const [, before = '', list = '', after = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(whole) ?? []
  return list.includes(',') ? list.split(',').map((host) => `${before}${host}${after}`) : [whole]
}

/** With several hosts the one that takes writes is meant, unless the address says otherwise. */
function roleOf(target: Address | string, several: boolean): Role {
  const asked = typeof target === 'string' ? /[?&]target_session_attrs=([a-z-]+)/.exec(target)?.[1] : undefined
  if (asked === undefined) return several ? 'primary' : 'any'
  const roles: readonly Role[] = ['primary', 'read-write', 'standby', 'read-only']
  return roles.find((role) => role === asked) ?? 'any'
}

/** As libpq calls it: connections are spread over the hosts, such as the nodes of a cluster. */
function isSpread(target: Address | string): boolean {
  return typeof target === 'string' && /[?&]load_balance_hosts=random(?:&|$)/.test(target)
}
