import { createHash } from 'node:crypto'
import type { AdapterPayload } from 'oidc-provider'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'

export type StoredRecord = { payload: AdapterPayload; consumed_at: Date | null }
export type NewRecord = {
  payload: AdapterPayload
  grantId: string | null
  uid: string | null
  person: string | null
  userAgent: string | null
  address: string | null
  seconds: number
}

/** A record is stored under the hash of its id, which is a secret of the browser or application that has it. */
export function hashOfId(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}

export async function saveRecord({ run }: Pool, kind: string, id: string, record: NewRecord): Promise<void> {
  const { payload, grantId, uid, person, userAgent, address, seconds } = record
  await run(sql`
    insert into oidc_records (kind, id_sha256, payload, grant_id, uid, person_id, user_agent, address, expires_at)
    values (${kind}, ${hashOfId(id)}, ${payload}, ${grantId}, ${uid}, ${person}, ${userAgent}, ${address}, now() + ${seconds} * interval '1 second')
    on conflict (kind, id_sha256) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, person_id = excluded.person_id,
      user_agent = coalesce(excluded.user_agent, oidc_records.user_agent), address = coalesce(excluded.address, oidc_records.address), expires_at = excluded.expires_at`)
}

export async function findRecord({ run }: Pool, kind: string, id: string): Promise<StoredRecord | undefined> {
  const [row] = await run<StoredRecord>(sql`select payload, consumed_at from oidc_records where ${named(kind, id)}`)
  return row
}

export async function findRecordByUid({ run }: Pool, kind: string, uid: string): Promise<StoredRecord | undefined> {
  const [row] = await run<StoredRecord>(
    sql`select payload, consumed_at from oidc_records where kind = ${kind} and uid = ${uid}`,
  )
  return row
}

/** Only one of many who come at once finds it unused, and is answered true. */
export async function consumeRecord({ run }: Pool, kind: string, id: string): Promise<boolean> {
  const consumed = await run(
    sql`update oidc_records set consumed_at = now() where ${named(kind, id)} and consumed_at is null returning 1`,
  )
  return consumed.length > 0
}

export async function findGrantOfRecord({ run }: Pool, kind: string, id: string): Promise<string | undefined> {
  const [row] = await run<{ grant_id: string | null }>(sql`select grant_id from oidc_records where ${named(kind, id)}`)
  return row?.grant_id ?? undefined
}

export async function deleteRecord({ run }: Pool, kind: string, id: string): Promise<void> {
  await run(sql`delete from oidc_records where ${named(kind, id)}`)
}

function named(kind: string, id: string): Statement {
  return sql`kind = ${kind} and id_sha256 = ${hashOfId(id)}`
}
