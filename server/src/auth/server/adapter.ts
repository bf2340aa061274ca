import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import type { Settings } from '../../settings.ts'
import { findClient } from '../clients.ts'
import { revokeGrant } from '../grants.ts'
import { visitor } from '../visitor.ts'
import { clientMetadata } from './client.ts'
import { errors } from './library.ts'
import { consumeRecord, deleteRecord, findGrantOfRecord, findRecord, findRecordByUid, type StoredRecord, saveRecord } from './records-store.ts'

type Parts = { database: Database; settings: Settings }

/** Keeps what the library remembers in PostgreSQL. */
export function adapterFor(parts: Parts): (kind: string) => Adapter {
  return (kind) => (kind === 'Client' ? clients(parts) : records(parts, kind))
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

function records({ database, settings }: Parts, kind: string): Adapter {
  const { pool } = database
  /** However often a session is used, it ends so long after somebody signed in. */
  const isOver = ({ loginTs }: AdapterPayload) => kind === 'Session' && loginTs !== undefined && loginTs < Date.now() / 1000 - settings.sessionDays * 86_400
  const restore = (row: StoredRecord | undefined, id?: string): AdapterPayload | undefined =>
    row && !isOver(row.payload)
      ? { ...row.payload, ...(id && { jti: id }), ...(row.consumed_at && { consumed: Math.floor(row.consumed_at.getTime() / 1000) }) }
      : undefined
  return {
    async upsert(id, { jti: _, ...payload }, seconds) {
      const { userAgent, address = null } = visitor.getStore() ?? {}
      const { grantId = null, uid = null, accountId = null } = payload
      await saveRecord(pool, kind, id, {
        payload,
        grantId: kind === 'Grant' ? id : grantId,
        uid,
        person: accountId,
        userAgent: userAgent ?? null,
        address,
        seconds: seconds ?? 0,
      })
    },
    async find(id) {
      return restore(await findRecord(pool, kind, id), id)
    },
    async findByUid(uid) {
      return restore(await findRecordByUid(pool, kind, uid))
    },
    async findByUserCode() {
      return undefined
    },
    /** Whoever comes second is a thief or was robbed, and the whole family ends. */
    async consume(id) {
      if (await consumeRecord(pool, kind, id)) return
      const grant = await findGrantOfRecord(pool, kind, id)
      if (grant)
        await revokeGrant(database, grant, 'Ended what an application could do for them: its code or refresh token was used twice, so somebody else has it.')
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      if (kind === 'Grant') await revokeGrant(database, id)
      await deleteRecord(pool, kind, id)
    },
    async revokeByGrantId(grantId) {
      await revokeGrant(database, grantId)
    },
  }
}
