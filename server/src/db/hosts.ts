import pg, { type ClientBase, type ClientConfig } from 'pg'
import { isAway } from './away.ts'
import type { Address } from './embedded.ts'

/** Of several hosts, how long one may take to answer before the next is tried. */
const patienceMs = 3_000
/** Where connections are spread over hosts: for how long one that was away is left out. */
const leftOutMs = 5_000

type Role = 'any' | 'primary' | 'read-write' | 'standby' | 'read-only'

/** The hosts of an address. With several, a client that cannot connect to one makes the next client connect to another. */
export function hostsOf(target: Address | string) {
  const configs: ClientConfig[] = typeof target === 'string' ? addressesOf(target).map((connectionString) => ({ connectionString })) : [target]
  const several = configs.length > 1
  const role = roleOf(target, several)
  const turn = isSpread(target) ? inTurn(configs.length) : oneInUse(configs.length)

  class HostClient extends pg.Client {
    readonly place: number
    constructor(options: ClientConfig = {}) {
      const place = turn.next()
      super({ ...options, ...(several && { connectionTimeoutMillis: patienceMs }), ...configs[place] })
      this.place = place
      const connect = this.connect.bind(this) as (callback?: (error: Error | null) => void) => Promise<unknown>
      const noting = (error: Error | null) => void (error && isAway(error) && turn.leave(place))
      const passOn = (callback: (error: Error | null) => void) => (error: Error | null) => {
        noting(error)
        callback(error)
      }
      // The pool gives a callback, others wait for the promise.
      const connectNoting = (callback?: (error: Error | null) => void) =>
        callback
          ? connect(passOn(callback))
          : connect().catch((error) => {
              noting(error)
              throw error
            })
      this.connect = connectNoting as never
    }
  }

  /** Refuses a connection to a server that is not in the role that the address asks for. */
  async function check(client: ClientBase): Promise<void> {
    if (role === 'any') return
    const { rows } = await client.query(`select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only`)
    const [{ standby, read_only }] = rows as [{ standby: boolean; read_only: boolean }]
    if ({ primary: !standby, 'read-write': !read_only, standby, 'read-only': read_only }[role]) return
    turn.leave((client as ClientBase & { place: number }).place)
    throw Object.assign(new Error(`the server is not ${role}`), { code: '25006' })
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

  return { Client: HostClient, check, tryEach }
}

type Turn = { next(): number; leave(host: number): void }

/** One host for all connections, until it is away. Of those that fail at the same time, the first moves on for all. */
function oneInUse(count: number): Turn {
  let inUse = 0
  return {
    next: () => inUse,
    leave(host) {
      if (host === inUse) inUse = (inUse + 1) % count
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
  }
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

/** As libpq calls it: connections are spread over the hosts, such as the nodes of a cluster. */
function isSpread(target: Address | string): boolean {
  return typeof target === 'string' && /[?&]load_balance_hosts=random(?:&|$)/.test(target)
}
