import pg, { type ClientBase, type ClientConfig } from 'pg'
import { isAway } from './away.ts'
import type { Address } from './embedded.ts'

/** Of several hosts, how long one may take to answer before the next is tried. */
const patienceMs = 3_000

type Role = 'any' | 'primary' | 'read-write' | 'standby' | 'read-only'

/** The hosts of an address, one of which is in use: a client connects to that one, and when it cannot, the next client connects to the next. */
export function hostsOf(target: Address | string) {
  const configs: ClientConfig[] = typeof target === 'string' ? addressesOf(target).map((connectionString) => ({ connectionString })) : [target]
  const several = configs.length > 1
  const role = roleOf(target, several)
  let inUse = 0

  class HostClient extends pg.Client {
    constructor(options: ClientConfig = {}) {
      super({ ...options, ...(several && { connectionTimeoutMillis: patienceMs }), ...configs[inUse] })
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

  return { Client: HostClient, check, tryEach }
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
