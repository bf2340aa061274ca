import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Settings } from '../../settings.ts'
import { findClient } from '../clients.ts'
import { revokeGrant } from '../grants.ts'
import { clientMetadata } from './client.ts'
import { errors } from './library.ts'

/** Where a request came from, for the list of sessions that a person sees. */
export const visitor = new AsyncLocalStorage<{ userAgent: string | undefined; address: string }>()

type Parts = { database: Database; settings: Settings }

/** Keeps what the library remembers in PostgreSQL. */
export function adapterFor(parts: Parts): (kind: string) => Adapter {
  return (kind) => (kind === 'Client' ? clients(parts) : records(parts.database, kind))
}

function clients(parts: Parts): Adapter {
  const notHere = async () => {
    throw new Error('applications are written through their own actions')
  }
  return {
    async find(id) {
      const client = await findClient(parts, id)
      return client && (clientMetadata(client) as AdapterPayload)
    },
    upsert: notHere,
    findByUserCode: notHere,
    findByUid: notHere,
    consume: notHere,
    destroy: notHere,
    revokeByGrantId: notHere,
  }
}

type Stored = { payload: AdapterPayload; consumed_at: Date | null }

function records({ pool, ...rest }: Database, kind: string): Adapter {
  const database = { pool, ...rest }
  const restore = (row: Stored | undefined, id?: string): AdapterPayload | undefined =>
    row && { ...row.payload, ...(id && { jti: id }), ...(row.consumed_at && { consumed: Math.floor(row.consumed_at.getTime() / 1000) }) }
  return {
    async upsert(id, { jti: _, ...payload }, seconds) {
      const { userAgent, address } = visitor.getStore() ?? {}
      const { grantId = null, uid = null, accountId = null } = payload
      await pool.run(sql`
        insert into oidc_records (kind, id_sha256, payload, grant_id, uid, person_id, user_agent, address, expires_at)
        values (${kind}, ${hashed(id)}, ${payload}, ${kind === 'Grant' ? id : grantId}, ${uid}, ${accountId},
          ${userAgent?.slice(0, 500) ?? null}, ${address ?? null}, now() + ${seconds ?? 0} * interval '1 second')
        on conflict (kind, id_sha256) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, person_id = excluded.person_id,
          user_agent = coalesce(excluded.user_agent, oidc_records.user_agent), address = coalesce(excluded.address, oidc_records.address), expires_at = excluded.expires_at`)
    },
    async find(id) {
      const [row] = await pool.run<Stored>(sql`select payload, consumed_at from oidc_records where kind = ${kind} and id_sha256 = ${hashed(id)}`)
      return restore(row, id)
    },
    async findByUid(uid) {
      const [row] = await pool.run<Stored>(sql`select payload, consumed_at from oidc_records where kind = ${kind} and uid = ${uid}`)
      return restore(row)
    },
    async findByUserCode() {
      return undefined
    },
    /** Only one of many who come at once finds it unused; whoever comes second is a thief or was robbed, and the whole family ends. */
    async consume(id) {
      const consumed = await pool.run<{ grant_id: string }>(sql`
        update oidc_records set consumed_at = now() where kind = ${kind} and id_sha256 = ${hashed(id)} and consumed_at is null returning grant_id`)
      if (consumed.length > 0) return
      const [used] = await pool.run<{ grant_id: string }>(sql`select grant_id from oidc_records where kind = ${kind} and id_sha256 = ${hashed(id)}`)
      if (used?.grant_id) await revokeGrant(database, used.grant_id)
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      if (kind === 'Grant') await revokeGrant(database, id)
      await pool.run(sql`delete from oidc_records where kind = ${kind} and id_sha256 = ${hashed(id)}`)
    },
    async revokeByGrantId(grantId) {
      await revokeGrant(database, grantId)
    },
  }
}

export function hashed(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}
