import type { Socket } from 'node:net'
import pg, { type Client, type ClientBase, type ClientConfig } from 'pg'
import { isAway } from './away.ts'
import type { Address } from './embedded.ts'

/** Of several hosts, how long one may take to answer before the next is tried. */
const patienceMs = 3_000

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

/** The hosts of an address, one of which is in use: a client connects to that one, and when it cannot, the next client connects to the next. */
export function hostsOf(target: Address | string) {
  const configs: ClientConfig[] = typeof target === 'string' ? addressesOf(target).map((connectionString) => ({ connectionString })) : [target]
  const several = configs.length > 1
  const role = roleOf(target, several)
  const clients = new Set<HostClient>()
  let inUse = 0

  class OurClient extends pg.Client {
    readonly hostNumber: number
    readonly hasDeadline: boolean
    isOpen = false
    waiting = false
    conversing = false

    constructor({ hostNumber = inUse, hasDeadline = false, ...options }: HostOptions = {}) {
      super({ ...options, ...(several && { connectionTimeoutMillis: patienceMs }), ...configs[hostNumber] })
      this.hostNumber = hostNumber
      this.hasDeadline = hasDeadline
      clients.add(this)
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
    const { rows } = await client.query(`select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only`)
    const [{ standby, read_only }] = rows as [{ standby: boolean; read_only: boolean }]
    if ({ primary: !standby, 'read-write': !read_only, standby, 'read-only': read_only }[role]) return
    throw Object.assign(new Error(`the server is not ${role}`), { code: '25006' })
  }

  async function tryEach<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      const host = inUse
      try {
        return await attempt()
      } catch (error) {
        if (!isAway(error)) throw error
        // Of those that fail at the same time, the first moves on for all.
        if (host === inUse) inUse = (inUse + 1) % configs.length
        if (tried >= configs.length) throw error
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
    inUse = found
  }

  return { Client: OurClient, clients: clients as ReadonlySet<HostClient>, check, tryEach, find }
}

/** Everything that was or is sent through it fails, once, with this error. */
export function giveUp(client: Client, error: Error): void {
  ;(client.connection.stream as unknown as Socket).destroy(error)
}

/** One address for each host. */
function addressesOf(url: string): string[] {
  // Without this the driver takes `require` to mean that the certificate is checked, which PostgreSQL's own programs do not.
  const whole = url.includes('sslmode=') ? `${url}&uselibpqcompat=true` : url
  const [, before = '', list = '', after = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(whole) ?? []
  return list.includes(',') ? list.split(',').map((host) => `${before}${host}${after}`) : [whole]
}

/** With several hosts the one that takes writes is meant, unless the address says otherwise. */
function roleOf(target: Address | string, several: boolean): Role {
  const asked = typeof target === 'string' ? /[?&]target_session_attrs=([a-z-]+)/.exec(target)?.[1] : undefined
  if (asked === undefined) return several ? 'primary' : 'any'
  const roles: readonly Role[] = ['primary', 'read-write', 'standby', 'read-only']
  return roles.find((role) => role === asked) ?? 'any'
}
