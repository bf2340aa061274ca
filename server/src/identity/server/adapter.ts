import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database } from '../../platform/db/database.ts'
import { visitor } from '../../platform/security-log/visitor.ts'
import type { Settings } from '../../settings.ts'
import { findClient } from '../applications/clients.ts'
import { revokeGrant } from '../people/grants.ts'
import { isStillProved } from '../people/proofs.ts'
import { clientMetadata } from './client.ts'
import { errors } from './library.ts'
import {
  consumeRecord,
  deleteRecord,
  findGrantOfRecord,
  findRecord,
  findRecordByUid,
  type StoredRecord,
  saveRecord,
} from './records-store.ts'

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
  const isOver = ({ loginTs }: AdapterPayload) =>
    kind === 'Session' && loginTs !== undefined && loginTs < Date.now() / 1000 - settings.sessionDays * 86_400
  const restore = async (row: StoredRecord | undefined, id?: string): Promise<AdapterPayload | undefined> => {
    const payload = row && !isOver(row.payload) ? await asProved(database, kind, row.payload) : undefined
    return (
      payload && {
        ...payload,
        ...(id && { jti: id }),
        ...(row?.consumed_at && { consumed: Math.floor(row.consumed_at.getTime() / 1000) }),
      }
    )
  }
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
        await revokeGrant(
          database,
          grant,
          'Ended what an application could do for them: its code or refresh token was used twice, so somebody else has it.',
        )
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

type Login = { accountId: string; proof?: string }
type Submitted = { login?: Login } | undefined

/**
 * What is left of a session, or of what was entered on the sign-in page, now: nothing, where the password has been changed since, or all access ended. Looked
 * at whenever it is read, so it does not matter when it was written: an unfinished request may write a session again that was deleted.
 */
async function asProved(
  database: Database,
  kind: string,
  payload: AdapterPayload,
): Promise<AdapterPayload | undefined> {
  if (kind === 'Session') {
    const { accountId, proof } = payload as Partial<Login>
    return accountId === undefined || (await isStillProved(database, { person: accountId, proof }))
      ? payload
      : undefined
  }
  if (kind !== 'Interaction') return payload
  const { result, lastSubmission, ...rest } = payload
  const login = (result as Submitted)?.login ?? (lastSubmission as Submitted)?.login
  return !login || (await isStillProved(database, { person: login.accountId, proof: login.proof })) ? payload : rest
}
